// Turns the built packages into a verdict on their manifests: entry points that exist, types that resolve, the licence, no install scripts.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const attw = join(dirname(createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js");
const installScripts = ["preinstall", "install", "postinstall", "prepare"];

let faults = 0;
for (const wing of ["engine", "agent", "cli"]) {
  const folder = join(root, "packages", wing);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (readFileSync(join(folder, "LICENSE"), "utf8") !== readFileSync(join(root, "LICENSE"), "utf8")) {
    fault(`${manifest.name}: its LICENSE is not a copy of the repository's`);
  }
  for (const name of installScripts)
    if (manifest.scripts?.[name] !== undefined) fault(`${manifest.name}: has the install script "${name}"`);

  const { messages } = await publint({ pkgDir: folder, level: "suggestion", strict: true });
  for (const message of messages) fault(`${manifest.name}: ${formatMessage(message, manifest)}`);

  // The commands export no code, so they have no types to resolve.
  if (manifest.exports["."] === undefined) continue;
  const types = spawnSync(process.execPath, [attw, "--pack", folder, "--profile", "esm-only", "--no-emoji", "--no-color"], {
    cwd: root,
    encoding: "utf8",
  });
  if (types.status !== 0) fault(`${manifest.name}: attw\n${types.stdout}${types.stderr}`);
}
process.stdout.write(`packages: ${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;

function fault(text) {
  faults += 1;
  process.stderr.write(`${text}\n`);
}
