// How long the command line takes to start, over `node -e 0`.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, median, min, ratio } from "./interleave.mjs";
import { tellNote, tellRatio } from "./report.mjs";
import { folder, must } from "./workplace.mjs";

const ROUNDS = 40;
const command = fileURLToPath(new URL("../packages/cli/bin/carabiner.js", import.meta.url));
const root = folder();
const home = join(root, "home");
mkdirSync(join(home, ".gemini"), { recursive: true });
const group = (matcher) => ({ matcher, hooks: [{ type: "command", name: `guard ${matcher}`, command: "./guard.sh", timeout: 5000 }] });
writeFileSync(
  join(home, ".gemini", "settings.json"),
  JSON.stringify({ hooks: { BeforeTool: ["write_file", "replace", "run_.*"].map(group) } }),
);
const env = { PATH: process.env.PATH, HOME: home, CARABINER_HOME: join(home, ".carabiner"), ...coldEnv() };

const run = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  must(status === 0, `${args.join(" ")} exits with 0`);
  return stdout;
};
must(run(command, "hooks", "list").includes("guard replace"), "hooks list lists the hooks");
const times = await interleave(
  {
    node: () => void run("-e", "0"),
    version: () => void run(command, "--version"),
    list: () => void run(command, "hooks", "list"),
  },
  { rounds: ROUNDS, warmup: 3 },
);
tellNote(`node -e 0 takes min ${min(times.node).toFixed(0)} ms, median ${median(times.node).toFixed(0)} ms`);
tellRatio("carabiner --version, over node -e 0", ratio(times.version, times.node), 1.3);
tellRatio("carabiner hooks list, over node -e 0", ratio(times.list, times.node), 2);
const cold = await interleave(
  {
    cold: () =>
      void spawnSync(process.execPath, [command, "hooks", "list"], { cwd: root, env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } }),
  },
  { rounds: 10, warmup: 1 },
);
tellRatio("the same without kept code (the first run of a version)", ratio(cold.cold, times.node));

/** Windows starts nothing without it. */
function coldEnv() {
  return process.platform === "win32" ? { SYSTEMROOT: process.env.SYSTEMROOT } : {};
}
