import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { attachJournal, readJournal } from "../../src/journal/index.ts";
import type { JournalLine } from "../../src/protocol/index.ts";
import { findLeft, readLeft, runLeaving } from "../../src/running/index.ts";
import { fired, folder, late, plan, registry, run, teller } from "./sample.ts";

const left = run({ status: "left", ended: "left", stdout: "", stdoutBytes: 0, readAs: "notRead", stdin: { reason: "exit" } });

async function write(dir: string, ...lines: readonly JournalLine[]): Promise<void> {
  const source = teller();
  const journal = attachJournal(source, { dir });
  source.tell(...lines);
  await journal.close();
}

describe("a run that the firing did not wait for", () => {
  it("has the status of its end in the story, which says so, while the firing's own record stays", async () => {
    const dir = folder();
    await write(
      dir,
      registry(),
      plan(),
      fired("f1", { runs: [left] }),
      late("f1", { status: "timedOut", ended: "timedOut", durationMs: 2345, stdout: "bye" }),
    );
    const [story] = readJournal(dir).stories;
    expect(story?.entries[0]).toMatchObject({
      status: "timedOut",
      why: "it was still running when the firing ended, and ended 2.3 s after its start",
      run: { ended: "timedOut", stdout: "bye", stdin: { tool_name: "shell" } },
    });
    expect(story?.entries[1]?.status).toBe("notMatched");
    expect(story?.fired.runs[0]).toEqual(left);
  });

  it("is found in a file that another process wrote later, and counts once however often it was collected", async () => {
    const dir = folder();
    await write(dir, registry(), plan(), fired("f1", { runs: [left] }), fired("f2", { runs: [left] }));
    const { stdin: _, ...end } = run({ status: "exitedOther", exitCode: 3 });
    await write(dir, { version: 1, kind: "late", firing: "f1", run: end });
    await write(dir, { version: 1, kind: "late", firing: "f1", run: end });
    for (const query of [{}, { last: 2 }, { session: "s1" }]) {
      const { stories, problems } = readJournal(dir, query);
      expect(stories.map(({ entries }) => entries[0]?.status)).toEqual(["exitedOther", "left"]);
      expect(stories[0]?.entries[0]?.run?.stdin).toEqual({ reason: "exit" });
      expect(problems).toEqual([]);
    }
    expect(readJournal(dir, { firing: "f1" }).stories[0]?.entries[0]?.run?.exitCode).toBe(3);
  });

  it("does not touch entries that were not left", async () => {
    const dir = folder();
    await write(dir, registry(), plan(), fired("f1"), late("f1", { status: "timedOut", ended: "timedOut" }));
    expect(readJournal(dir).stories[0]?.entries[0]?.status).toBe("ok");
  });
});

describe.skipIf(process.platform === "win32")("opening a journal", () => {
  const leave = (stateDir: string, script: string, tag: string): ReturnType<typeof runLeaving> =>
    runLeaving(
      {
        line: { file: "/bin/sh", args: ["-c", script], shown: script },
        cwd: stateDir,
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
        stdin: Buffer.from("{}"),
        timeoutMs: 5000,
        killGraceMs: 100,
        drainMs: 100,
        maxStdoutBytes: 1_000_000,
        maxStderrBytes: 1_000_000,
      },
      { waitMs: 30, stateDir, tag },
    );

  it("records how hooks that outlived their host ended, and removes what they left", async () => {
    const dir = folder();
    const leftDir = join(dir, "left");
    mkdirSync(leftDir);
    await write(dir, registry(), plan(), fired("f1", { runs: [left] }));
    const end = await leave(leftDir, `sleep 0.3; echo "ghp_${"a1B2".repeat(9)}"; echo oh >&2; exit 3`, "f1 e0");
    expect(end.kind).toBe("left");
    const stillRunning = attachJournal(teller(), { dir });
    expect(readdirSync(leftDir)).toHaveLength(1);
    await stillRunning.close();

    const found = findLeft(leftDir)[0]?.dir ?? "";
    for (let i = 0; i < 100 && readLeft(found) === undefined; i++) await sleep(50);
    await attachJournal(teller(), { dir }).close();
    expect(readdirSync(leftDir)).toEqual([]);
    const { stories, problems } = readJournal(dir);
    expect(problems).toEqual([]);
    expect(stories[0]?.entries[0]).toMatchObject({
      status: "exitedOther",
      run: {
        exitCode: 3,
        stdout: "[redacted]\n",
        stderr: "oh\n",
        readAs: "notRead",
        problems: [{ code: "HOOK_EXITED", place: { entry: "e0" } }],
      },
    });
  });

  it("leaves alone what cannot be recorded: a run of somebody else, and any run while the journal cannot be written", async () => {
    const leftDir = join(folder(), "left");
    mkdirSync(leftDir);
    await leave(leftDir, "sleep 0.1", "a-tag-of-somebody-else");
    await leave(leftDir, "sleep 0.1", "f1 e0");
    for (let i = 0; i < 100 && findLeft(leftDir).some(({ dir }) => readLeft(dir) === undefined); i++) await sleep(50);
    const unwritable = join("/dev/null", "journal");
    const codes: string[] = [];
    await attachJournal(teller(), { dir: unwritable, leftDir, onProblem: ({ code }) => codes.push(code) }).close();
    expect(codes).toEqual(["JOURNAL_UNWRITABLE"]);
    expect(readdirSync(leftDir)).toHaveLength(2);
    await attachJournal({ ...teller(), stateDir: join(leftDir, "..") }, { dir: folder() }).close();
    expect(findLeft(leftDir).map(({ tag }) => tag)).toEqual(["a-tag-of-somebody-else"]);
    expect(existsSync(unwritable)).toBe(false);
  });
});
