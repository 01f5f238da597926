// Turns the packed tarballs into a verdict: installed in an empty folder, they serve a TypeScript host, a JavaScript host and a shell.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const version = createRequire(import.meta.url)("../packages/cli/package.json").version;

/** What a packed file may be, by package; anything else in a tarball is a fault. */
const allowed = {
  "@carabiner/engine": /^(dist\/.+\.(js|js\.map|d\.ts)|schemas\/.+\.schema\.json|package\.json|README\.md|LICENSE)$/,
  "@carabiner/agent": /^(dist\/.+\.(js|js\.map|d\.ts)|package\.json|README\.md|LICENSE)$/,
  carabiner:
    /^(dist\/[^/]+\.(js|cjs)|dist\/third-party\.txt|bin\/(carabiner\.js|package\.json)|tour\/.+|package\.json|README\.md|LICENSE)$/,
};

/** The host, in TypeScript; without its types it is the JavaScript host. A real hook refuses `rm -rf` and lets `ls` pass. */
const host = `import { createEngine, type Outcome } from "@carabiner/engine";
import { attachJournal } from "@carabiner/engine/journal";

const engine = createEngine({ cwd: process.cwd(), home: process.cwd() + "/home", dialects: ["gemini"], record: "every" });
attachJournal(engine, process.cwd() + "/journal");
const session = engine.session({ id: "packed" });
const ask = (command: string): Promise<Outcome<"beforeTool">> =>
  session.fire("beforeTool", { tool: { name: "run_shell_command", input: { command }, callId: command } });
const refused = await ask("rm -rf /");
const passed = await ask("ls");
await engine.dispose();
const said = refused.action === "block" ? refused.reason : undefined;
process.stdout.write(JSON.stringify({ refused: refused.action, said, passed: passed.action }) + "\\n");
`;

const hook = `#!/bin/sh
input=$(cat)
case "$input" in
  *"rm -rf"*) echo '{"decision": "deny", "reason": "not on my machine"}' ;;
  *) echo '{}' ;;
esac
`;

const folder = mkdtempSync(join(tmpdir(), "carabiner-packed-"));
let faults = 0;
try {
  const packed = JSON.parse(
    npm(root, "pack", ...Object.keys(allowed).flatMap((name) => ["-w", name]), "--pack-destination", folder, "--json"),
  );
  const tarballs = (Array.isArray(packed) ? packed : Object.values(packed)).map((one) => {
    for (const { path } of one.files) if (!allowed[one.name].test(path)) fault(`${one.name}: the tarball holds ${path}`);
    for (const path of ["LICENSE", "README.md"])
      if (!one.files.some((file) => file.path === path)) fault(`${one.name}: the tarball lacks ${path}`);
    return join(folder, one.filename);
  });

  const consumer = join(folder, "consumer");
  mkdirSync(join(consumer, ".gemini"), { recursive: true });
  mkdirSync(join(consumer, "home"));
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  npm(consumer, "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs);

  writeFileSync(join(consumer, "guard.sh"), hook);
  chmodSync(join(consumer, "guard.sh"), 0o755);
  const group = { matcher: "run_shell_command", hooks: [{ type: "command", name: "guard", command: "./guard.sh" }] };
  writeFileSync(join(consumer, ".gemini", "settings.json"), JSON.stringify({ hooks: { BeforeTool: [group] } }));

  writeFileSync(join(consumer, "host.ts"), host);
  const javascript = host.replace(", type Outcome", "").replace('(command: string): Promise<Outcome<"beforeTool">>', "(command)");
  writeFileSync(join(consumer, "host.mjs"), javascript);
  // Only the compiler's view of Node comes from the repository; the packages under test come from the tarballs.
  mkdirSync(join(consumer, "node_modules", "@types"), { recursive: true });
  if (!existsSync(join(consumer, "node_modules", "@types", "node"))) {
    symlinkSync(join(root, "node_modules", "@types", "node"), join(consumer, "node_modules", "@types", "node"), "dir");
  }
  const compilerOptions = {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    outDir: "out",
  };
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["host.ts"] }));

  const compiled = spawnSync(process.execPath, [tsc, "-p", consumer], { cwd: consumer, encoding: "utf8" });
  if (compiled.status !== 0) fault(`the TypeScript host does not compile:\n${compiled.stdout}${compiled.stderr}`);
  const expected = JSON.stringify({ refused: "block", said: "not on my machine", passed: "proceed" });
  for (const file of ["out/host.js", "host.mjs"]) expect(`node ${file}`, run(consumer, process.execPath, [file]), expected);
  if (!existsSync(join(consumer, "journal")) || readdirSync(join(consumer, "journal"), { recursive: true }).length === 0) {
    fault("the hosts attached a journal and nothing was written");
  }

  const command = join(consumer, "node_modules", ".bin", "carabiner");
  expect("carabiner --version", run(consumer, command, ["--version"]), version);
  // The second run starts from what V8 compiled in the first.
  for (const time of ["first", "second"]) {
    const listed = run(consumer, command, ["hooks", "list"]);
    if (listed.status !== 0 || !listed.stdout.includes("./guard.sh"))
      fault(`carabiner hooks list, ${time} time: exit ${listed.status ?? listed.signal}\n${listed.stdout}${listed.stderr}`);
  }
  const demo = run(consumer, command, ["demo"]);
  if (demo.status !== 0) fault(`carabiner demo: exit ${demo.status ?? demo.signal}\n${demo.stdout}${demo.stderr}`);
} catch (error) {
  fault(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`packed: ${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;

/** What npm printed; throws with its stderr when it failed. */
function npm(cwd, ...args) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 300_000 });
}

/** One run with nothing of the developer's hook settings in reach. */
function run(cwd, file, args) {
  const env = { PATH: process.env.PATH, HOME: join(cwd, "home"), CARABINER_HOME: join(cwd, "home", ".carabiner") };
  return spawnSync(file, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
}

function expect(label, { status, signal, stdout, stderr }, expected) {
  if (status !== 0 || stdout.trim() !== expected)
    fault(`${label}: expected ${expected}, got exit ${status ?? signal}: ${stdout.trim()}\n${stderr}`);
}

function fault(text) {
  faults += 1;
  process.stderr.write(`${text}\n`);
}
