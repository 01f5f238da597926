// Turns the whole gate into one verdict: format, lint, types, walls, dead code, tests. Every step runs, so that all faults are seen at once.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const steps = ["check:format", "check:promises", "check:types", "check:walls", "check:unused"].map((name) => [
  "npm",
  "run",
  "--silent",
  name,
]);
// The long haul is for `npm test`, and for CI.
steps.push(["npx", "--no-install", "vitest", "run", "--exclude", "**/soak/**"]);

const failed = [];
for (const step of steps) {
  const label = step.includes("vitest") ? "tests" : step.slice(-1)[0];
  const { status } = spawnSync(step[0], step.slice(1), {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.stdout.write(`${status === 0 ? "ok  " : "FAIL"} ${label}\n`);
  if (status !== 0) failed.push(label);
}
if (failed.length > 0) process.stderr.write(`check: failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
