// Gives every test file an empty home directory of its own, so that nobody's real settings are read or written.
import { mkdtempSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(homedir(), "home-"));
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;
