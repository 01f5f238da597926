// Flips every cell of a dialect's table and every branch of the pure stages, one at a time: at least one conformance case must turn red.
// Prints what no case noticed and exits 1 then. `npm run mutate`, or `npm run mutate -- qoder-cn` for one dialect. A branch is every dialect's: one is enough.
// `--only=decide.ts` tries the flips alone whose path has that text in it.
import { fork } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { buildTree } from "./mutate/tree.mjs";

const WORKER = fileURLToPath(new URL("mutate/worker.mjs", import.meta.url));
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const dialects = chosen.length > 0 ? chosen : readdirSync(fileURLToPath(new URL(".", import.meta.url))).filter(hasCases);
const unknown = [...process.argv.slice(2).filter((argument) => /^--(?!only=)/.test(argument)), ...chosen.filter((name) => !hasCases(name))];
if (unknown.length > 0) {
  console.error(`Not understood: ${unknown.join(" ")}. Usage: npm run mutate -- [DIALECT...] [--only=TEXT]`);
  process.exit(1);
}
const { folder, switches } = await buildTree();
const shares = Math.max(1, Math.min(2, availableParallelism()));
const reports = [];
for (const dialectId of dialects) {
  const known = reports.flatMap((report) => report.caught ?? []);
  const tasks = Array.from({ length: shares }, (_, share) => work({ dialectId, only, folder, switches, known, share, shares }));
  reports.push(...(await Promise.all(tasks)));
}
rmSync(folder, { recursive: true, force: true });

const unsound = reports.flatMap((report) => report.unsound ?? []);
for (const line of new Set(unsound)) console.error(`Red without any flip: ${line}`);
const caught = new Set(reports.flatMap((report) => report.caught ?? []));
const survivors = [...new Set(reports.flatMap((report) => report.survivors ?? []))].filter((path) => !caught.has(path));
for (const path of survivors) console.log(`survived: ${path}`);
if (process.env["VERBOSE"]) for (const { path, ms } of reports.flatMap((report) => report.slowest ?? [])) console.log(`${ms} ms: ${path}`);
console.log(`${caught.size + survivors.length} flips, ${caught.size} caught, ${survivors.length} survived`);
process.exitCode = unsound.length > 0 || survivors.length > 0 || caught.size === 0 ? 1 : 0;

function hasCases(name) {
  return existsSync(new URL(`${name}/settings.json`, import.meta.url));
}

function work(task) {
  return new Promise((resolve, reject) => {
    const child = fork(WORKER);
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`A worker ended with ${code} before it had an answer.`)));
    child.send(task);
  });
}
