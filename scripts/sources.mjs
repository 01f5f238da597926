// Loads modules as the sources say now, whether they have been built or not; and writes generated files, or says that they are stale.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** The named exports of several source files, as one module. */
export async function sources(...entries) {
  const { outputFiles } = await build({
    stdin: { contents: entries.map((entry) => `export * from "./${entry}";`).join("\n"), resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Writes the file; with `--check` on the command line, only says whether it is what would be written. */
export function publish(file, text) {
  const path = `${root}/${file}`;
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (textOf(path) !== text) {
    process.stderr.write(`${file} is not what the sources say; run: npm run generate\n`);
    process.exitCode = 1;
  }
}

/** As the formatter of the repository wants it, so that one text is right for both. */
export function formatted(file, text) {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], { cwd: root, input: text, encoding: "utf8" });
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
