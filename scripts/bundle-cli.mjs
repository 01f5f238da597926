// Turns the sources of the command line into `packages/cli/dist`: `start.cjs`, `core.cjs` (every light command and the engine) and ES modules behind `import()`.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { build } from "esbuild";

/** What is loaded only by the command that needs it: a module that reaches one of these by static imports is no part of the core. */
const HEAVY = ["@carabiner/agent", "@bomb.sh/tab", "ink", "react", "@inkjs/ui"];

/** Built-in modules that cost milliseconds to load, and whose exports are used through the module: loaded at the first use of one. */
const LAZY_BUILTINS = ["node:child_process", "node:crypto", "node:fs/promises", "node:tty", "node:vm", "node:zlib"];

/** Packages that many commands import and few runs need: evaluated at the first use of one of their exports. */
const LAZY_PACKAGES = ["jsonc-parser", "picocolors"];
/** The same for packages that are one function. */
const LAZY_FUNCTIONS = ["fast-string-width"];

const root = fileURLToPath(new URL("..", import.meta.url));

/** `cli`: the package's folder. Needs the built `dist` of the packages it imports. Throws where the core itself is heavy. */
export async function bundleCli(cli) {
  const src = join(cli, "src");
  const dist = join(cli, "dist");
  const main = join(src, "main.ts");
  const heavy = await heavyModules(main);
  const chunks = [...heavy.modules].filter((path) => heavy.doors.has(path)).map((path) => ({ in: path, out: basename(path, ".ts") }));
  const packages = [...heavy.packages].map((name) => ({ in: name, out: fileOfPackage(name) }));
  if (heavy.modules.has(main)) throw new Error(`${main} reaches ${HEAVY.join(", ")} without an import(): nothing would start fast.`);

  const common = {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    // jsonc-parser's main file hides its parts behind a require that no bundler can follow.
    mainFields: ["module", "main"],
    charset: "ascii",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  };
  const start = await build({
    ...common,
    entryPoints: [join(src, "start", "index.ts")],
    outfile: join(dist, "start.cjs"),
    format: "cjs",
  });
  const core = await build({
    ...common,
    stdin: {
      contents: 'export { main, processIo } from "./main.ts"; export { COMMANDS } from "./commands/index.ts";',
      resolveDir: src,
      sourcefile: "core",
      loader: "ts",
    },
    outfile: join(dist, "core.cjs"),
    format: "cjs",
    banner: { js: `const ${PLACE} = require("node:url").pathToFileURL(__filename).href;` },
    plugins: [placed(src, PLACE), lazily, behindImport(heavy.modules)],
  });
  const behind = await build({
    ...common,
    entryPoints: [...chunks, ...packages],
    chunkNames: "[name]-[hash]",
    outdir: dist,
    format: "esm",
    splitting: true,
    // Packages in the older module system ask for built-in modules this way.
    banner: { js: 'import { createRequire as __create_require } from "node:module"; const require = __create_require(import.meta.url);' },
    plugins: [placed(src, "import.meta.url")],
  });
  const licences = notices([start, core, behind]);

  const files = new Map(
    [...start.outputFiles, ...core.outputFiles, ...behind.outputFiles].map(({ path, text }) => [path, finished(path, text)]),
  );
  files.set(join(dist, "third-party.txt"), licences);
  mkdirSync(dist, { recursive: true });
  // Somebody may run the command meanwhile: each file is replaced at once, those that load others last, and what is no longer needed goes afterwards.
  for (const [path, text] of [...files].sort(([a], [b]) => LAST.indexOf(basename(a)) - LAST.indexOf(basename(b)))) {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
  for (const path of readdirSync(dist, { recursive: true })) {
    if (/\.c?js(\.map)?$/.test(path) && !files.has(join(dist, path))) rmSync(join(dist, path));
  }
  rmSync(join(dist, "cache"), { recursive: true, force: true });
}

const LAST = ["core.cjs", "start.cjs"];

/** The expression that stands for the place of the bundle, as a URL. */
const PLACE = "__bundle_url";

const isHeavyPackage = (path) => HEAVY.some((name) => path === name || path.startsWith(`${name}/`));
/** The file of a package that some module asks for by an `import()`. */
const fileOfPackage = (name) => `package-${name.replace(/[^a-z0-9]+/gi, "-").replace(/^-/, "")}`;

/** Modules of this package that reach something heavy by static imports; what is behind an `import()`, modules of this package and heavy packages. */
async function heavyModules(main) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [main],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  const inputs = new Map(Object.entries(metafile.inputs).map(([path, { imports }]) => [join(root, path), imports]));
  const isHeavy = (path, seen = new Set()) => {
    if (seen.has(path)) return false;
    seen.add(path);
    return (inputs.get(path) ?? [])
      .filter(({ kind }) => kind === "import-statement")
      .some((found) => (found.external ? isHeavyPackage(found.path) : isHeavy(join(root, found.path), seen)));
  };
  const doors = [...inputs.values()].flat().filter(({ kind }) => kind === "dynamic-import");
  return {
    modules: new Set([...inputs.keys()].filter((path) => isHeavy(path))),
    doors: new Set(doors.flatMap(({ path, external }) => (external ? [] : [join(root, path)]))),
    packages: new Set(doors.flatMap(({ path, external }) => (external && isHeavyPackage(path) ? [path] : []))),
  };
}

/** In a bundle every module would have the bundle's place: each keeps the one it has below `dist` when it is compiled alone. */
function placed(src, place) {
  return {
    name: "placed",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(src + sep)) return undefined;
        const own = relative(src, path).split(sep).join("/").replace(/\.ts$/, ".js");
        const text = readFileSync(path, "utf8");
        if (!text.includes("import.meta.url")) return undefined;
        return { contents: text.replaceAll("import.meta.url", `new URL(${JSON.stringify(`./${own}`)}, ${place}).href`), loader: "ts" };
      });
    },
  };
}

/** An `import()` of something heavy stays one, of the file it is built to. */
function behindImport(modules) {
  return {
    name: "behind-import",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[.@a-z]/ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== "dynamic-import" || pluginData === "resolving") return undefined;
        if (isHeavyPackage(path)) return { path: `./${fileOfPackage(path)}.js`, external: true };
        const found = await resolve(path, { kind, pluginData: "resolving", ...from });
        return modules.has(found.path) ? { path: `./${basename(found.path, ".ts")}.js`, external: true } : undefined;
      });
    },
  };
}

const lazily = {
  name: "lazily",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/-]+$/ }, ({ path, namespace, resolveDir }) => {
      if (namespace === "lazy") return undefined;
      if ([...LAZY_PACKAGES, ...LAZY_FUNCTIONS].includes(path)) return { path, namespace: "lazy", pluginData: resolveDir };
      const name = path.startsWith("node:") ? path : `node:${path}`;
      return LAZY_BUILTINS.includes(name) ? { path: name, namespace: "lazy" } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "lazy" }, ({ path, pluginData: resolveDir }) => {
      if (LAZY_FUNCTIONS.includes(path))
        return { contents: `export default (...words) => require("${path}").default(...words);`, resolveDir };
      const names = Object.keys(createRequire(import.meta.url)(path)).filter((name) => /^\w+$/.test(name));
      const getters = names.map((name) => `get ${name}() { return require("${path}").${name}; }`);
      return { contents: `module.exports = { ${getters.join(",\n")} };`, resolveDir };
    });
  },
};

/** The core is read as Latin-1, and its first line says which build it is: what was compiled for another does not count. */
function finished(path, text) {
  if (basename(path) !== "core.cjs") return text;
  // Only regular expressions are left with characters beyond ASCII, and there an escape means the same.
  const ascii = text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const core = withImporter(ascii);
  return `// ${createHash("sha256").update(core).digest("hex").slice(0, 16)}\n${core}`;
}

/** Compiled code that comes from a cache has lost what an `import()` in it belongs to: the core is handed a function that imports. */
function withImporter(text) {
  const places = [];
  const look = (node) => {
    if (node?.type === "ImportExpression") places.push(node.start);
    if (typeof node === "object" && node !== null) for (const child of Object.values(node)) look(child);
  };
  look(parse(text, { ecmaVersion: "latest", sourceType: "script" }));
  return places.sort((a, b) => b - a).reduce((soFar, at) => `${soFar.slice(0, at)}__${soFar.slice(at)}`, text);
}

/** The licences of everything that was bundled from other packages. */
function notices(results) {
  const folders = new Set(results.flatMap(({ metafile }) => Object.keys(metafile.inputs).flatMap((path) => folderOf(path) ?? [])));
  return [...folders]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
      if (file === undefined && license === undefined) throw new Error(`${folder} is bundled, and nothing says under which licence it is.`);
      const text = file === undefined ? "Its package holds no licence text." : readFileSync(join(root, folder, file), "utf8").trim();
      return `${name} ${version} (${license ?? "see below"})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
function folderOf(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}
