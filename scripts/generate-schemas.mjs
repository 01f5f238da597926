// Turns the schemas in the sources into the published JSON Schema files. `--check` writes nothing and fails where a file is not what it would be.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = new URL("..", import.meta.url);
const published = [
  {
    file: "packages/engine/schemas/journal.schema.json",
    from: "packages/engine/src/protocol/index.ts",
    schema: ({ journalJsonSchema }) => ({ title: "One line of a Carabiner journal", ...journalJsonSchema() }),
  },
];

const checks = process.argv.includes("--check");
for (const { file, from, schema } of published) {
  const text = formatted(file, JSON.stringify(schema(await sources(from))));
  const path = fileURLToPath(new URL(file, root));
  if (!checks) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (textOf(path) !== text) {
    process.stderr.write(`${file} is not what the sources say; run: node scripts/generate-schemas.mjs\n`);
    process.exitCode = 1;
  }
}

/** The module as its sources say now, whether it has been built or not. */
async function sources(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, root))],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** As the formatter of the repository wants it, so that one text is right for both. */
function formatted(file, json) {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const options = { cwd: fileURLToPath(root), input: json, encoding: "utf8" };
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], options);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
