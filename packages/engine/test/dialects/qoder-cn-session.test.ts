// What of Qoder CN's contract takes more than one firing: hooks that nobody waits for, hooks that run once, and continuations.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createEngine, type EngineEvent, type JsonObject, type ToolCall } from "../../src/index.ts";

function started(hooks: JsonObject, carabiner: JsonObject = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-qoder-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".qoder"));
  writeFileSync(join(root, ".qoder/settings.json"), JSON.stringify({ hooks, carabiner }));
  const engine = createEngine({ cwd: root, home: join(root, "home"), dialects: ["qoder-cn"], stateDir: join(root, "state") });
  onTestFinished(() => engine.dispose());
  const events: EngineEvent[] = [];
  engine.subscribe((event) => events.push(event));
  const until = async (kind: "late" | "fired"): Promise<void> => {
    for (const end = performance.now() + 5000; performance.now() < end; await new Promise((done) => setTimeout(done, 10)))
      if (events.some((event) => event.kind === "line" && event.line.kind === kind)) return;
    throw new Error(`no ${kind} line within 5 s`);
  };
  return { root, session: engine.session(), events, until };
}
const group = (command: string, more: JsonObject = {}): readonly JsonObject[] => [{ hooks: [{ type: "command", command, ...more }] }];
const bash: ToolCall = { name: "Bash", input: { command: "ls" } };

it("a hook that nobody waits for decides nothing, and its late word is told", async () => {
  const { session, events, until } = started({ PreToolUse: group("sleep 0.1; echo late >&2; exit 2", { async: true }) });
  expect(await session.fire("beforeTool", { tool: bash })).toMatchObject({ action: "proceed" });
  await until("late");
  expect(events.flatMap((event) => (event.kind === "problem" ? [event.problem.code] : []))).toEqual(["LATE_RULING"]);
  const late = events.flatMap((event) => (event.kind === "line" && event.line.kind === "late" ? [event.line.run] : []));
  expect(late).toMatchObject([{ status: "ok", exitCode: 2, stderr: "late\n", opinion: { ruling: { kind: "deny", reason: "late" } } }]);
});

it("a hook that runs once and in the background is spent when it has succeeded", async () => {
  const { root, session, until } = started({ PreToolUse: group("sleep 0.1; echo ran >> count", { async: true, once: true }) });
  await session.fire("beforeTool", { tool: bash });
  await until("late");
  const again = await session.fire("beforeTool", { tool: bash });
  expect(again.record.kind === "fired" && Object.values(again.record.changed)).toMatchObject([{ status: "spent" }]);
  expect(readFileSync(join(root, "count"), "utf8")).toBe("ran\n");
});

it("a Stop hook keeps the agent at work until it is content; it can tell a continuation, and the user's prompt is submitted once", async () => {
  const look = 'cat >> stdin; echo >> stdin; if [ -e done ]; then exit 0; fi; touch done; echo "run the tests" >&2; exit 2';
  const { root, session } = started({ Stop: group(look), UserPromptSubmit: group("echo prompt >> submitted") });
  const prompts: string[] = [];
  const done = await session.turn("build it", async (prompt) => {
    prompts.push(prompt);
    return `answer ${prompts.length}`;
  });
  expect(done).toMatchObject({ ended: "answered", answer: "answer 2", tries: 2 });
  expect(prompts).toEqual(["build it", "run the tests"]);
  const seen = readFileSync(join(root, "stdin"), "utf8").trim().split("\n");
  expect(seen.map((line) => JSON.parse(line))).toMatchObject([
    { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "answer 1" },
    { stop_hook_active: true, last_assistant_message: "answer 2" },
  ]);
  expect(readFileSync(join(root, "submitted"), "utf8")).toBe("prompt\n");
});

it("continuations are bounded, and the limit is told with the hook that hit it", async () => {
  const { session, events } = started({ Stop: group("echo more >&2; exit 2") }, { maxRetries: 2 });
  const done = await session.turn("go", async () => "there");
  expect(done).toMatchObject({ ended: "retriesSpent", answer: "there", tries: 3 });
  expect(events.flatMap((event) => (event.kind === "problem" ? [event.problem] : []))).toMatchObject([
    { code: "RETRIES_SPENT", found: "echo more >&2; exit 2" },
  ]);
});

it("a failed tool's hook adds what the agent reads behind the error, and a prompt that is refused never reaches the agent", async () => {
  const { session } = started({
    PostToolUseFailure: group("echo 'see the log' >&2; exit 2"),
    UserPromptSubmit: group("echo 'not now' >&2; exit 2"),
  });
  const done = await session.tool(bash, async () => {
    throw new Error("exit code 1");
  });
  expect(done).toMatchObject({ ended: "failed", output: "exit code 1\n\nsee the log", isError: true });
  const turn = await session.turn("hello", async () => "never");
  expect(turn).toMatchObject({ ended: "discarded", reason: "not now", keepsPrompt: false, answer: undefined });
});
