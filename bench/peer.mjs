// Turns "--peer" into Gemini CLI's own hook engine on the same hooks; says why where it cannot be had.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tellNote } from "./report.mjs";

/** Of this version Node 20 is supported. */
const PACKAGE = "@google/gemini-cli-core";
const VERSION = "0.61.0";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
export const PEER_FOLDER = join(cache, "carabiner-bench", `peer-${VERSION}`);

/** Once: its 450 packages take minutes. No install script runs. */
export function installPeer() {
  if (existsSync(join(PEER_FOLDER, "node_modules", PACKAGE, "package.json"))) return true;
  mkdirSync(PEER_FOLDER, { recursive: true });
  writeFileSync(join(PEER_FOLDER, "package.json"), JSON.stringify({ private: true }));
  process.stdout.write(`Installing ${PACKAGE}@${VERSION} in ${PEER_FOLDER} ...\n`);
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `${PACKAGE}@${VERSION}`];
  const { status, error } = spawnSync("npm", args, { cwd: PEER_FOLDER, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0)
    process.stdout.write(`The peer cannot be installed (${error?.message ?? `npm exited with ${status}`}): ratios to it are left out.\n`);
  return status === 0;
}

/** Its `HookSystem` on these hooks; `undefined` where the peer was not asked for, is not there or does not load. */
export async function peerWith(hooks, { project, home }) {
  if (process.env.BENCH_PEER !== "1") return undefined;
  try {
    const from = join(PEER_FOLDER, "node_modules", PACKAGE, "dist", "src", "hooks", "hookSystem.js");
    // It tells every step on the console, which its own program turns off.
    for (const name of ["debug", "info", "log", "warn"]) console[name] = () => undefined;
    const { HookSystem } = await import(pathToFileURL(from).href);
    const config = {
      getHooks: () => hooks,
      getProjectHooks: () => ({}),
      getProjectRoot: () => project,
      getWorkingDir: () => project,
      getSessionId: () => "bench",
      getExtensions: () => [],
      getDisabledHooks: () => [],
      isTrustedFolder: () => true,
      getTelemetryLogPromptsEnabled: () => false,
      getUsageStatisticsEnabled: () => false,
      getDebugMode: () => false,
      sanitizationConfig: { enableEnvironmentVariableRedaction: true, allowedEnvironmentVariables: [], blockedEnvironmentVariables: [] },
      storage: { getPlansDir: () => join(home, "plans") },
    };
    const system = new HookSystem(Object.defineProperty(config, "config", { value: config }));
    await system.initialize();
    return system;
  } catch (error) {
    tellNote(`The peer does not run here: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
