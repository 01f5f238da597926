#!/usr/bin/env node
// Turns a command line into a run of the built commands; answers `--version` before anything is loaded.
const argument = process.argv[2];
if (process.argv.length === 3 && (argument === "--version" || argument === "-V")) {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${manifest.version}\n`);
} else {
  const entry = new URL("../dist/main.js", import.meta.url);
  const { existsSync } = process.getBuiltinModule("node:fs");
  if (existsSync(entry)) {
    const { main, processIo } = await import(entry.href);
    process.exitCode = await main(process.argv.slice(2), processIo());
  } else {
    process.stderr.write("carabiner: dist/main.js is missing because nothing has been built yet. Run `npm run build`.\n");
    process.exitCode = 1;
  }
}
