// Flips every cell of the Gemini table and every branch of the pure stages, one at a time: at least one conformance case must turn red.
// Prints what no case noticed and exits 1 then. `npm run mutate`.
import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { buildTree } from "./mutate/tree.mjs";

const WORKER = fileURLToPath(new URL("mutate/worker.mjs", import.meta.url));
const { folder, switches } = await buildTree();
const shares = Math.max(1, Math.min(2, availableParallelism()));
const results = await Promise.all(Array.from({ length: shares }, (_, share) => work({ folder, switches, share, shares })));
rmSync(folder, { recursive: true, force: true });

const unsound = results.flatMap((result) => result.unsound ?? []);
for (const line of new Set(unsound)) console.error(`Red without any flip: ${line}`);
const survivors = results.flatMap((result) => result.survivors ?? []);
const flips = results.reduce((sum, result) => sum + (result.flips ?? 0), 0);
for (const path of survivors) console.log(`survived: ${path}`);
if (process.env["VERBOSE"]) for (const { path, ms } of results.flatMap((result) => result.slowest ?? [])) console.log(`${ms} ms: ${path}`);
console.log(`${flips} flips, ${flips - survivors.length} caught, ${survivors.length} survived`);
process.exitCode = unsound.length > 0 || survivors.length > 0 || flips === 0 ? 1 : 0;

function work(task) {
  return new Promise((resolve, reject) => {
    const child = fork(WORKER);
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`A worker ended with ${code} before it had an answer.`)));
    child.send(task);
  });
}
