// A tool response of 10 MB to 10 hooks: over writing the same bytes to 10 bare spawns; how often it is serialised, and what is left in memory.
import { bareSpawn } from "./bare-spawn.mjs";
import { interleave, min, ratio } from "./interleave.mjs";
import { peerWith } from "./peer.mjs";
import { tellFigure, tellNote, tellRatio } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const HOOKS = 10;
const BYTES = 10 * 1024 * 1024;
const ROUNDS = 12;
const command = (i) => `cat > /dev/null; : ${i}`;
const each = Array.from({ length: HOOKS }, (_, i) => i);
const hooks = { AfterTool: [{ hooks: each.map((i) => ({ type: "command", command: command(i) })) }] };
const { engine, project, home } = engineWith(hooks);
const session = engine.session({ id: "bench" });
const line = `${"x".repeat(99)}\n`;
const output = line.repeat(BYTES / line.length);
const facts = () => ({ tool: { name: "read_file", input: { file_path: "big.txt" }, callId: "c1" }, result: { content: output } });

/** Every text of this size that is made of a value in this process. */
let serialised = 0;
const stringify = JSON.stringify;
JSON.stringify = (...words) => {
  const text = stringify(...words);
  if (typeof text === "string" && text.length > BYTES / 2) serialised++;
  return text;
};
let input;
const unsubscribe = engine.subscribe((told) => {
  if (told.kind === "hookEnded") input ??= told.stdin();
});
const first = await session.fire("afterTool", facts());
unsubscribe();
must(first.record.kind === "fired" && first.record.runs.every((run) => run.exitCode === 0), "10 hooks ran");
tellFigure("times it is serialised for 10 hooks", serialised, "times", 1);
const bytes = Buffer.from(stringify(input));
input = undefined;

const peer = await peerWith(hooks, { project, home });
const times = await interleave(
  {
    bare: () => Promise.all(each.map((i) => bareSpawn(["bash", "--norc", "--noprofile", "-p", "-c", command(i)], bytes, project))),
    ours: () => session.fire("afterTool", facts()),
    ...(peer
      ? { peer: () => peer.fireAfterToolEvent("read_file", { file_path: "big.txt" }, { llmContent: output, returnDisplay: "" }) }
      : {}),
  },
  { rounds: ROUNDS, warmup: 2 },
);
tellNote(`10 MB to 10 bare spawns takes min ${min(times.bare).toFixed(0)} ms`);
tellRatio("10 MB to 10 hooks, over 10 bare spawns", ratio(times.ours, times.bare));
if (times.peer) tellRatio("10 MB to 10 hooks, over the peer", ratio(times.ours, times.peer), 0.3);

/** The least of several looks: streams of ended processes and the memory of buffers are let go some turns after a collection. */
const held = async () => {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 6; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
};
const before = await held();
for (let i = 0; i < 5; i++) await session.fire("afterTool", facts());
tellFigure("memory held after five such events", Math.max(0, (await held()) - before) / 1024 / 1024, "MB", 1);
await engine.dispose();
