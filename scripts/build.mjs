// Turns the sources of every package into `packages/*/dist`, in dependency order, and those of the command line into a bundle. Arguments go to `tsc -b` (`--force`, `--verbose`).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleCli } from "./bundle-cli.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

for (const wing of readdirSync(join(root, "packages"))) dropLeftovers(join(root, "packages", wing));
const { status } = spawnSync(process.execPath, [tsc, "-b", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
if (status === 0) await bundleCli(join(root, "packages", "cli"));

/** Removes what was built from sources that are gone: the compiler leaves it, and it would be packed. */
function dropLeftovers(folder) {
  const dist = join(folder, "dist");
  if (!existsSync(dist)) return;
  // Of the command line the compiler makes types only; the bundle looks after its own.
  const compiled = basename(folder) === "cli" ? /\.d\.ts(\.map)?$/ : /\.(js|d\.ts)(\.map)?$/;
  for (const path of readdirSync(dist, { recursive: true })) {
    const source = path.replace(compiled, ".ts");
    if (source !== path && !existsSync(join(folder, "src", source))) rmSync(join(dist, path));
  }
}
