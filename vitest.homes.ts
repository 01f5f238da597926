// Gives the whole run one folder for the home directories of its tests, and removes it at the end, whatever the tests did.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs once before the workers start, which inherit the environment. Returns the removal. */
export default function homes(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "carabiner-homes-"));
  process.env["HOME"] = folder;
  process.env["USERPROFILE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
