// 50 hooks of one event side by side, over 50 bare spawns side by side, and how long the host's event loop is busy meanwhile.
import { bareSpawn } from "./bare-spawn.mjs";
import { interleave, median, min, ratio } from "./interleave.mjs";
import { peerWith } from "./peer.mjs";
import { tellFigure, tellNote, tellRatio } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const HOOKS = 50;
const ROUNDS = 15;
const facts = { tool: { name: "run_shell_command", input: { command: "ls" }, callId: "c1" } };
const cases = [
  {
    what: "50 plain commands",
    dialect: "qoder-cn",
    event: "PreToolUse",
    handler: (i) => ({ command: "/usr/bin/head", args: ["-c", `${i + 1}`] }),
    argv: (i) => ["/usr/bin/head", "-c", `${i + 1}`],
  },
  {
    what: "50 scripts",
    dialect: "gemini",
    event: "BeforeTool",
    handler: (i) => ({ command: `read -r x; : ${i}` }),
    argv: (i) => ["bash", "--norc", "--noprofile", "-p", "-c", `read -r x; : ${i}`],
  },
];
for (const { what, dialect, event, handler, argv } of cases) {
  const each = Array.from({ length: HOOKS }, (_, i) => i);
  const hooks = { [event]: [{ hooks: each.map((i) => ({ type: "command", ...handler(i) })) }] };
  const { engine, project, home } = engineWith(hooks, { dialect });
  const session = engine.session({ id: "bench" });
  const { record } = await session.fire("beforeTool", facts);
  must(record.kind === "fired" && record.runs.length === HOOKS, `${record.runs?.length} hooks ran`);
  const stdin = JSON.stringify({ session_id: "bench", tool_name: "run_shell_command", tool_input: facts.tool.input, cwd: project });
  const peer = dialect === "gemini" ? await peerWith(hooks, { project, home }) : undefined;

  const busy = { bare: [], ours: [], peer: [] };
  const watched = (name, action) => async () => {
    const before = performance.eventLoopUtilization();
    await action();
    busy[name].push(performance.eventLoopUtilization(before).active);
  };
  const times = await interleave(
    {
      bare: watched("bare", () => Promise.all(each.map((i) => bareSpawn(argv(i), stdin, project)))),
      ours: watched("ours", () => session.fire("beforeTool", facts)),
      ...(peer ? { peer: watched("peer", () => peer.fireBeforeToolEvent("run_shell_command", facts.tool.input)) } : {}),
    },
    { rounds: ROUNDS, warmup: 2 },
  );
  tellNote(
    `${what}: bare spawns take min ${min(times.bare).toFixed(1)} ms, and keep the event loop busy for ${sorted(busy.bare)[0].toFixed(1)} ms`,
  );
  tellRatio(`${what}, over bare spawns`, ratio(times.ours, times.bare));
  tellRatio(`${what}: the event loop is busy, over bare spawns`, ratio(sorted(busy.ours), sorted(busy.bare)));
  tellFigure(`${what}: the event loop is busy, median`, median(sorted(busy.ours)), "ms", 5);
  if (times.peer) tellRatio(`${what}, over the peer`, ratio(times.ours, times.peer), 0.5);
  await engine.dispose();
}

function sorted(list) {
  return [...list].sort((a, b) => a - b);
}
