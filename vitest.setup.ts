// Gives every test file an empty home directory of its own, so that nobody's real settings are read or written, and every property the same values each time.
import { mkdtempSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

const home = mkdtempSync(join(homedir(), "home-"));
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;

// Properties are tried with the same values each time, so that the gate says the same of the same code twice; SEED=random looks for new ones.
const seed = process.env["SEED"] ?? "1";
const { testPath } = expect.getState();
if (seed !== "random" && testPath !== undefined && readFileSync(testPath, "utf8").includes('from "fast-check"')) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ seed: Number(seed) });
}
