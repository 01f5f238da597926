// Firings in which nothing runs: no hook on the event, and 1,000 groups that do not match a name that was seen before.
import { interleave, median, min } from "./interleave.mjs";
import { peerWith } from "./peer.mjs";
import { tellFigure, tellRatio } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const GROUPS = 1000;
const FIRINGS = 20_000;
const ROUNDS = 15;
const facts = { tool: { name: "read_file", input: { file_path: "a.txt" }, callId: "c1" } };
const after = { tool: facts.tool, result: { content: "" } };
const matchers = Array.from({ length: GROUPS }, (_, i) => `^(tool_${i}|other_${i}_.*)$`);
const hooks = { BeforeTool: matchers.map((matcher) => ({ matcher, hooks: [{ type: "command", command: "exit 2" }] })) };
const { engine, project, home } = engineWith(hooks);
const session = engine.session({ id: "bench" });
must((await session.fire("beforeTool", facts)).record.kind === "quiet", "no group matches");

const ready = Promise.resolve({});
const many = (fire) => async () => {
  const began = performance.now();
  for (let i = 0; i < FIRINGS; i++) await fire();
  return ((performance.now() - began) / FIRINGS) * 1e6;
};
const actions = {
  ready: () => ready,
  none: () => session.fire("afterTool", after),
  thousand: () => session.fire("beforeTool", facts),
};
const times = await interleave(Object.fromEntries(Object.entries(actions).map(([name, fire]) => [name, many(fire)])), {
  rounds: ROUNDS,
  warmup: 4,
});
const above = (list) => ({ min: Math.max(0, min(list) - min(times.ready)), median: Math.max(0, median(list) - median(times.ready)) });

/** What 1,000 groups cost when every firing compiles and tries each pattern. */
const naive = await interleave(
  {
    naive: () => {
      const began = performance.now();
      for (let i = 0; i < 20; i++)
        if (matchers.filter((matcher) => new RegExp(matcher).test("read_file")).length > 0) throw new Error("it matches");
      return ((performance.now() - began) / 20) * 1e6;
    },
  },
  { rounds: 30, warmup: 4 },
);
const peer = await peerWith(hooks, { project, home });

for (const [name, what] of [
  ["none", "no hook on the event"],
  ["thousand", "1,000 groups, none matching"],
]) {
  const extra = above(times[name]);
  tellFigure(`${what}: above awaiting a ready promise, min`, extra.min, "ns");
  tellFigure(`${what}: the same, median`, extra.median, "ns");
  tellFigure(`${what}: heap`, await bytesPerFiring(actions[name]), "bytes a firing", 64);
}
const against = (list) => ({ min: min(times.thousand) / min(list), median: median(times.thousand) / median(list) });
tellRatio("1,000 groups, over compiling and trying 1,000 patterns", against(naive.naive), 1 / 500);
if (peer) {
  const fires = { peer: many100(() => peer.fireBeforeToolEvent("read_file", facts.tool.input)) };
  tellRatio("1,000 groups, over the peer", against((await interleave(fires, { rounds: 15, warmup: 3 })).peer), 1 / 500);
}
const firstOfTurn = await interleave({ turn: everyTurn(actions.thousand), empty: everyTurn(() => ready) }, { rounds: 15, warmup: 3 });
tellFigure("the first firing of a turn looks at the settings files: min", min(firstOfTurn.turn) - min(firstOfTurn.empty), "us");
await engine.dispose();

/** Above what awaiting a ready promise allocates; nothing may be collected meanwhile. */
async function bytesPerFiring(fire) {
  const grown = async (action) => {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < FIRINGS; i++) await action();
    return (process.memoryUsage().heapUsed - before) / FIRINGS;
  };
  const samples = [];
  for (let i = 0; i < 7; i++) samples.push((await grown(fire)) - (await grown(actions.ready)));
  return Math.max(0, median(samples.sort((a, b) => a - b)));
}

/** Nanoseconds for one of a hundred. */
function many100(fire) {
  return async () => {
    const began = performance.now();
    for (let i = 0; i < 100; i++) await fire();
    return ((performance.now() - began) / 100) * 1e6;
  };
}

/** Microseconds for one, each in a turn of the event loop of its own. */
function everyTurn(fire) {
  return async () => {
    let total = 0;
    for (let i = 0; i < 200; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      const began = performance.now();
      await fire();
      total += performance.now() - began;
    }
    return (total / 200) * 1000;
  };
}
