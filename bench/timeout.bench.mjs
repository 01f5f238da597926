// A hook that ignores TERM, and a grandchild of it that ignores TERM and holds the pipe: when the firing settles, and what is left of the group.
import { readdirSync, readFileSync } from "node:fs";
import { tellFigure, tellNote } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const TIMEOUT_MS = 300;
const GRACE_MS = 200;
const SLACK_MS = 100;
const ROUNDS = 10;
const mark = `carabiner-bench-${process.pid}`;
const stubborn = `trap '' TERM; bash -c 'trap "" TERM; : ${mark}; while :; do sleep 1; done' & while :; do sleep 1; done`;
const hooks = { BeforeTool: [{ hooks: [{ type: "command", command: stubborn, timeout: TIMEOUT_MS }] }] };
const { engine } = engineWith(hooks, { more: { carabiner: { killGraceMs: GRACE_MS } } });
const session = engine.session({ id: "bench" });
const facts = { tool: { name: "run_shell_command", input: { command: "ls" }, callId: "c1" } };

const took = [];
let left = 0;
for (let i = 0; i < ROUNDS; i++) {
  const began = performance.now();
  const { record } = await session.fire("beforeTool", facts);
  took.push(performance.now() - began);
  must(record.kind === "fired" && record.runs[0]?.status === "timedOut", "the hook timed out");
  left += living();
}
took.sort((a, b) => a - b);
tellFigure(`timeout ${TIMEOUT_MS} ms, grace ${GRACE_MS} ms: settled after, min`, took[0], "ms", TIMEOUT_MS + GRACE_MS + SLACK_MS);
tellFigure("the same, the longest", took.at(-1), "ms", TIMEOUT_MS + GRACE_MS + SLACK_MS);
if (process.platform === "linux") tellFigure("processes of the group that are alive afterwards", left, "processes", 0);
else tellNote("Whether anything of the group is alive is looked at on Linux only.");
await engine.dispose();

/** Processes that carry the mark in their command line, the dead that nobody has collected left out. */
function living() {
  if (process.platform !== "linux") return 0;
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && isMarked(pid)).length;
}
function isMarked(pid) {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "")[0];
    return state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark);
  } catch {
    return false;
  }
}
