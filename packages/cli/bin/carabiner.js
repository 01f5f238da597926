#!/usr/bin/env node
// Turns a command line into a run of the built commands; answers `--version` before anything is loaded.
"use strict";
const { existsSync, readFileSync, writeSync } = require("node:fs");
const path = require("node:path");

const dist = path.join(__dirname, "..", "dist");
const words = process.argv.slice(2);
if (words.length === 1 && ["--version", "-v", "-V"].includes(words[0])) {
  const manifest = JSON.parse(readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  try {
    // Opening stdout as a stream would take longer than all the rest.
    writeSync(1, `${manifest.version}\n`);
  } catch {
    // EAGAIN: the stream waits. EPIPE: nobody reads it.
    process.stdout.on("error", () => undefined).write(`${manifest.version}\n`);
  }
} else if (existsSync(path.join(dist, "start.cjs"))) {
  void require(path.join(dist, "start.cjs")).start(words, path.join(dist, "core.cjs"));
} else {
  process.stderr.write("carabiner: dist/start.cjs is missing because nothing has been built yet. Run `npm run build`.\n");
  process.exitCode = 1;
}
