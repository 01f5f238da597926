// Turns the benchmarks named (default: all) into ratios on the terminal, each in a process of its own. `--peer`: Gemini CLI's engine beside ours.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { installPeer } from "./peer.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const all = readdirSync(here).flatMap((file) => (file.endsWith(".bench.mjs") ? [file.replace(".bench.mjs", "")] : []));
const wanted = words.filter((word) => word !== "--peer");
const unknown = wanted.filter((name) => !all.includes(name));
const missing = ["engine/dist/index.js", "cli/dist/core.cjs"].filter(
  (path) => !existsSync(new URL(`../packages/${path}`, import.meta.url)),
);

if (unknown.length > 0) fail(`There is no benchmark ${unknown.join(", ")}. There are: ${all.join(", ")}; and --peer.`);
else if (missing.length > 0) fail(`packages/${missing.join(", packages/")}: not built. Run \`npm run build\` first.`);
else {
  const peer = words.includes("--peer") && installPeer();
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} cores, ${process.platform}. Ratios are of one run, interleaved; x means times.\n`,
  );
  for (const name of wanted.length > 0 ? wanted : all) {
    process.stdout.write(`\n${name}\n`);
    // Where bytes are counted nothing may be collected meanwhile; elsewhere a large heap would make every fork slower.
    const flags = ["--expose-gc", ...(name === "quiet" ? ["--min-semi-space-size=64", "--max-semi-space-size=64"] : [])];
    const { status } = spawnSync(process.execPath, [...flags, `${here}${name}.bench.mjs`], {
      env: { ...env, BENCH_PEER: peer ? "1" : "0" },
      stdio: "inherit",
      timeout: 600_000,
    });
    if (status !== 0) fail(`${name} did not come to its end (${status ?? "killed"}).`);
  }
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
