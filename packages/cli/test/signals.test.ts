// Ctrl-C and SIGTERM in the middle of a run of the built command: what ends, what is written down, what is left. Nothing may be left.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readJournal } from "@carabiner/engine/journal";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTranscript } from "../../agent/src/sessions/index.ts";
import { isAlive } from "../../agent/test/alive.ts";
import { type Hook, type Stage, stage, WIRES } from "../../agent/test/loop/stage.ts";
import { type Reply, startModelServer } from "../../agent/test/servers/model-server.ts";
import { start } from "./agent-run.ts";

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** Begins a child that outlives whoever does not end the whole group, and tells both, in a file that is whole as soon as it is there. */
const lingers = (on: Stage) => {
  const file = on.path("pids");
  return `sleep 30 & echo "$$ $!" > '${file}.new' && mv '${file}.new' '${file}'; wait; echo never > '${file}.done'`;
};
const lingering = (on: Stage) => existsSync(on.path("pids"));

interface Caught {
  readonly on: Stage;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}
/** Runs a prompt over a loopback model, sends the signal once `until` is there, and waits for the end. */
async function caught(
  signal: keyof typeof CODES,
  {
    hooks,
    replies,
    until,
    args = [],
  }: {
    hooks: (on: Stage) => readonly Hook[];
    replies: (on: Stage) => Reply[];
    until: (on: Stage, stdout: string) => boolean;
    args?: readonly string[];
  },
): Promise<Caught> {
  const on = stage();
  on.hooks([...hooks(on), { on: "SessionEnd" }, { on: "AfterAgent" }]);
  const server = await startModelServer("gemini", replies(on));
  onTestFinished(() => server.close());
  const run = start(on, ["--yolo", "--model", WIRES.gemini.model, ...args, "go"], {
    env: { [WIRES.gemini.key]: "key", [WIRES.gemini.base]: server.url },
  });
  await expect.poll(() => until(on, run.stdout()), { timeout: 15_000, interval: 20 }).toBe(true);
  const began = performance.now();
  run.child.kill(signal);
  const ended = await run.ended;
  return { on, ...ended, tookMs: performance.now() - began };
}

/** Processes that still work in the stage's folders. */
function leftOver(on: Stage): readonly string[] {
  if (!existsSync("/proc/self")) return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(join("/proc", pid, "cwd")).startsWith(on.root);
    } catch {
      return false; // somebody else's, or gone meanwhile
    }
  });
}
async function expectGoodEnd({ on, tookMs }: Caught): Promise<void> {
  expect(on.seen("SessionEnd").map(({ reason }) => reason)).toEqual(["exit"]);
  expect(on.seen("AfterAgent"), "a turn that was broken off was not answered").toEqual([]);
  expect(tookMs).toBeLessThan(8000);
  const journal = readJournal(on.path("home/.carabiner/journal"));
  expect(journal.problems).toEqual([]);
  expect(journal.stories.at(-1)?.event).toBe("sessionEnd");
  const [end] = on.seen("SessionEnd");
  const stored = await readTranscript(String(end?.["transcript_path"]));
  expect(stored).toMatchObject({ ok: true, problems: [] });
  expect(leftOver(on)).toEqual([]);
}
/** ... of a run that had begun a hook or a tool which lingers. */
async function expectNothingLingers(end: Caught): Promise<void> {
  await expectGoodEnd(end);
  const started = end.on.read("pids").trim().split(" ");
  expect(started).toHaveLength(2);
  expect(started.filter(isAlive)).toEqual([]);
  expect(existsSync(end.on.path("pids.done"))).toBe(false);
}

describe.each(Object.keys(CODES) as (keyof typeof CODES)[])("%s", (signal) => {
  it("in the middle of the model's answer ends the run at once, with what was said on stdout", async () => {
    const end = await caught(signal, {
      hooks: () => [],
      replies: () => [{ chunks: ["Once upon ", "a time"], then: "hold" }],
      until: (_on, stdout) => stdout.includes("a time"),
    });
    expect(end).toMatchObject({ code: CODES[signal], stdout: "Once upon a time\n" });
    expect(end.stderr).toContain(`The run was ended by ${signal}`);
    await expectGoodEnd(end);
  });

  it("in the middle of a hook ends it with everything it has started", async () => {
    const end = await caught(signal, {
      hooks: (on) => [{ on: "BeforeTool", does: lingers(on) }],
      replies: () => [{ calls: [{ name: "write_file", input: { file_path: "a.txt", content: "x" } }] }, { text: "never" }],
      until: lingering,
    });
    expect(end).toMatchObject({ code: CODES[signal], stdout: "" });
    expect(existsSync(end.on.path("my project/a.txt"))).toBe(false);
    const story = readJournal(end.on.path("home/.carabiner/journal")).stories.find(({ event }) => event === "beforeTool");
    expect(story?.ran.map(({ status }) => status)).toEqual(["cancelled"]);
    await expectNothingLingers(end);
  });

  it("in the middle of a shell tool ends it with everything it has started, and its result is written down", async () => {
    const end = await caught(signal, {
      hooks: () => [],
      replies: (on) => [{ calls: [{ name: "run_shell_command", input: { command: lingers(on) } }] }, { text: "never" }],
      until: lingering,
    });
    expect(end).toMatchObject({ code: CODES[signal], stdout: "" });
    await expectNothingLingers(end);
    const stored = await readTranscript(String(end.on.seen("SessionEnd")[0]?.["transcript_path"]));
    expect(stored).toMatchObject({ messages: [{ role: "user" }, { role: "model" }, { role: "user", parts: [{ type: "result" }] }] });
  });
});

describe("SIGINT", () => {
  it("in the middle of a hook on the session's start ends that, asks no model and fires no more than the end", async () => {
    const end = await caught("SIGINT", {
      hooks: (on) => [{ on: "SessionStart", does: lingers(on) }, { on: "BeforeAgent" }],
      replies: () => [{ text: "never" }],
      until: lingering,
    });
    expect(end).toMatchObject({ code: 130, stdout: "" });
    expect(end.on.seen("BeforeAgent")).toEqual([]);
    await expectNothingLingers(end);
  });

  it("leaves a JSON document that says so", async () => {
    const end = await caught("SIGINT", {
      hooks: (on) => [{ on: "BeforeAgent", does: lingers(on) }],
      replies: () => [{ text: "never" }],
      until: lingering,
      args: ["--output-format", "json"],
    });
    expect(end.code).toBe(130);
    expect(JSON.parse(end.stdout)).toMatchObject({ error: { type: "Aborted", code: 130 } });
    await expectNothingLingers(end);
  });
});
