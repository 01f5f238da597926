/** The reference pages are what the tables say. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("has reference pages that are fresh", () => {
  const script = fileURLToPath(new URL("../../../scripts/generate-reference.mjs", import.meta.url));
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});
