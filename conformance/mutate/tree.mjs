// Turns the engine's sources and the cases' runner into modules of their own, with switches in them and the processes within reach.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { switchable } from "./branches.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = join(ROOT, "packages/engine/src");
/** Below node_modules, so that the engine's own dependencies are found. */
const FOLDER = join(ROOT, "node_modules/.cache", `carabiner-mutate-${process.pid}`);

/** The modules whose branches are switched. */
const SWITCHED = [
  "firing/parse.ts",
  "firing/read-output.ts",
  "firing/decide.ts",
  "firing/fold.ts",
  "firing/collide.ts",
  "firing/settle.ts",
  "firing/match.ts",
  "firing/admit.ts",
  "firing/condition.ts",
  "dialects/qoder-cn.ts",
  "dialects/qoder-cn-binary.ts",
  "dialects/qoder-cn-divergences.ts",
  "dialects/qoder-cn-notification.ts",
  "dialects/gemini-model.ts",
  "dialects/gemini-binary.ts",
  "dialects/gemini-quoting.ts",
  "dialects/gemini-divergences-runs.ts",
  "dialects/gemini-divergences-models.ts",
  "dialects/gemini-divergences-session.ts",
];
/** What a module keeps from one firing to the next: emptied before each case, so that what made it is reached again. */
const KEPT = { "firing/match.ts": "compiled" };
/** Where the engine starts processes: each function can be taken over by `globalThis.$processes`. */
const STARTERS = { "running/process.ts": "runProcess", "running/left.ts": "runLeaving" };

/** Writes the modules and says where they are, and which switches stand in them: `{ id, where, what, text }`. */
export async function buildTree() {
  const switches = [];
  for (const file of readdirSync(SOURCES, { recursive: true }).filter((name) => name.endsWith(".ts"))) {
    const { code, map } = await transform(readFileSync(join(SOURCES, file), "utf8"), {
      loader: "ts",
      target: "es2023",
      format: "esm",
      sourcemap: "external",
    });
    let text = code;
    if (SWITCHED.includes(file)) {
      const made = switchable(code, switches.length, lines(code, new SourceMap(JSON.parse(map))));
      switches.push(...made.switches.map(({ line, ...one }) => ({ ...one, where: `packages/engine/src/${String(file)}:${line}` })));
      text = made.code;
    }
    const starter = STARTERS[file];
    if (starter !== undefined) text = takenOver(text, starter, file);
    if (KEPT[file] !== undefined) text += `\n(globalThis.$kept ??= []).push(${KEPT[file]});\n`;
    write(join(FOLDER, "engine", file.replace(/\.ts$/, ".js")), text.replace(/(from\s*"\.[^"]*)\.ts"/g, '$1.js"'));
  }
  write(join(FOLDER, "package.json"), '{ "type": "module" }');
  await build({
    entryPoints: {
      run: join(ROOT, "conformance/run.ts"),
      cases: join(ROOT, "conformance/cases.ts"),
      stage: join(ROOT, "conformance/stage.ts"),
    },
    outdir: join(FOLDER, "cases"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2023",
    plugins: [{ name: "engine", setup: resolveEngine }],
  });
  return { folder: FOLDER, switches };
}

function resolveEngine({ onResolve }) {
  const external = (path) => ({ path: join(FOLDER, "engine", path), external: true });
  onResolve({ filter: /^@carabiner\/engine$/ }, () => external("index.js"));
  onResolve({ filter: /^\.\.\/packages\/engine\/src\// }, ({ path }) =>
    external(path.slice("../packages/engine/src/".length).replace(/\.ts$/, ".js")),
  );
  onResolve({ filter: /^zod$/ }, () => ({ path: "zod", external: true }));
}

/** The function asks `globalThis.$processes` first, and hands it the real one. */
function takenOver(code, name, file) {
  const declared = `function ${name}(`;
  if (!code.includes(declared)) throw new Error(`${file} has no function ${name} to take over.`);
  return `${code.replace(declared, `function really_${name}(`)}
function ${name}(...order) { return globalThis.$processes ? globalThis.$processes(really_${name}, ...order) : really_${name}(...order); }\n`;
}

/** Offset in the JavaScript -> line of the source. */
function lines(code, map) {
  const starts = [0];
  for (let i = 0; i < code.length; i++) if (code[i] === "\n") starts.push(i + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return (map.findEntry(line, offset - starts[line]).originalLine ?? -1) + 1;
  };
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
