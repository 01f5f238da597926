// Turns the imports of every package's sources into a verdict on the walls between rooms; fails when a source file was not read.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";
import { cruise } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const sources = readdirSync("packages").flatMap((wing) => filesUnder(join("packages", wing, "src")));
const { output } = await cruise(["packages"], await extractDepcruiseOptions("./.dependency-cruiser.cjs"));

const read = new Map(output.modules.map((module) => [module.source, module]));
const imports = new Map(sources.map((source) => [source, importsOf(readFileSync(source, "utf8"))]));
const faults = output.summary.violations.map((found) => `${found.rule.name}: ${found.from} -> ${found.to}`);
for (const [source, statements] of imports) {
  const module = read.get(source);
  // The cruiser reports success on files that its parser did not understand: compare with what the file says.
  if (module === undefined) faults.push(`not-read: ${source} was not read by dependency-cruiser`);
  else if (module.dependencies.length < new Set(statements.map((found) => found.from)).size)
    faults.push(`half-read: ${source} has more imports than dependency-cruiser saw`);
  if (source.startsWith("packages/engine/src/journal/")) {
    for (const { from, typeOnly } of statements) {
      if (from.startsWith("../session/") && !typeOnly) faults.push(`journal-types-only: ${source} imports more than types from ${from}`);
    }
  }
}
if (sources.length === 0) faults.push("no-sources: there is no source file under packages/*/src");

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `walls: ${sources.length} source files, ${output.summary.totalDependenciesCruised} imports, ${faults.length} faults\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** All `.ts` files under a folder, with forward slashes; none when the folder does not exist. */
function filesUnder(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name).split(sep).join("/"));
}

/** The import and export-from statements of a TypeScript text. */
function importsOf(text) {
  return parseSync(text, { syntax: "typescript", target: "es2022" }).body.flatMap((node) =>
    node.source ? [{ from: node.source.value, typeOnly: node.typeOnly === true }] : [],
  );
}
