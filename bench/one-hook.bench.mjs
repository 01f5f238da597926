// One hook through the engine, over the same argv through bare `spawn` in the same process.
import { bareSpawn } from "./bare-spawn.mjs";
import { interleave, ratio } from "./interleave.mjs";
import { peerWith } from "./peer.mjs";
import { tellNote, tellRatio } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const ROUNDS = 150;
const GOAL = 1.1;
const SCRIPT = "read -r line; printf '{}'";
const facts = { tool: { name: "run_shell_command", input: { command: "ls -la" }, callId: "c1" } };

const cases = [
  {
    what: "a plain command",
    dialect: "qoder-cn",
    event: "PreToolUse",
    handler: { command: "/usr/bin/sed", args: ["d"] },
    argv: ["/usr/bin/sed", "d"],
  },
  {
    what: "a script for `bash -c`",
    dialect: "gemini",
    event: "BeforeTool",
    handler: { command: SCRIPT },
    argv: ["bash", "--norc", "--noprofile", "-p", "-c", SCRIPT],
  },
];
for (const { what, dialect, event, handler, argv } of cases) {
  const hooks = { [event]: [{ hooks: [{ type: "command", ...handler }] }] };
  const { engine, project, home } = engineWith(hooks, { dialect });
  const session = engine.session({ id: "bench" });
  let stdin = "";
  const unsubscribe = engine.subscribe((told) => {
    if (told.kind === "hookEnded") stdin = JSON.stringify(told.stdin());
  });
  const { record } = await session.fire("beforeTool", facts);
  unsubscribe();
  must(record.kind === "fired" && record.runs[0]?.ended === "exited" && stdin.length > 100, `${what} ran`);

  const peer = dialect === "gemini" ? await peerWith(hooks, { project, home }) : undefined;
  const times = await interleave(
    {
      bare: () => bareSpawn(argv, stdin, project),
      ours: () => session.fire("beforeTool", facts),
      ...(peer ? { peer: () => peer.fireBeforeToolEvent("run_shell_command", facts.tool.input) } : {}),
    },
    { rounds: ROUNDS, warmup: 20 },
  );
  tellNote(`${what}: bare spawn takes min ${times.bare[0].toFixed(2)} ms`);
  tellRatio(`${what}, over bare spawn`, ratio(times.ours, times.bare), GOAL);
  if (times.peer) tellRatio(`${what}, over the peer`, ratio(times.ours, times.peer), 0.6);
  await engine.dispose();
}
