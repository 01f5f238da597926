// Turns hooks into a folder of its own with real settings files, and an engine on it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEngine } from "@carabiner/engine";

/** Removed when the process exits. */
export function folder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-bench-")));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** The user's own hooks, so that no question of trust is measured. `hooks`: as a settings file of the dialect has them. */
export function engineWith(hooks, { dialect = "gemini", more = {}, ...options } = {}) {
  const root = folder();
  const [project, home] = [join(root, "project"), join(root, "home")];
  mkdirSync(project);
  const path = join(home, dialect === "gemini" ? ".gemini" : ".qoder-cn", "settings.json");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ hooks, ...more }));
  const engine = createEngine({
    cwd: project,
    home,
    dialects: [dialect],
    // The variables that bare `spawn` hands on, without those that name settings files.
    env: {
      ...process.env,
      HOME: home,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, "none.json"),
      GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(root, "none.json"),
    },
    stateDir: join(root, "state"),
    ...options,
  });
  return { root, project, home, engine };
}

/** Stops the benchmark when what it measures is not what it is meant to measure. */
export function must(condition, what) {
  if (!condition) throw new Error(`The benchmark does not measure what it says: ${what}.`);
}
