// Gives every test file an empty home directory of its own, so that nobody's real settings are read or written.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const home = mkdtempSync(join(tmpdir(), "carabiner-home-"));
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;

afterAll(() => rmSync(home, { recursive: true, force: true }));
