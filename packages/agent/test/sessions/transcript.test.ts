/** Transcripts on disk: written line by line, read back whole, found again. */

import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/models/index.ts";
import {
  listSessions,
  openTranscript,
  readTranscript,
  resolveSession,
  type StoredSession,
  type TranscriptProblem,
} from "../../src/sessions/index.ts";
import type { Task } from "../../src/tasks/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sessions-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const model = (text: string): Message => ({ role: "model", parts: [{ type: "text", text }] });
const call: Message = {
  role: "model",
  parts: [
    { type: "text", text: "hm", thought: true },
    {
      type: "call",
      id: "1",
      name: "read_file",
      input: JSON.parse('{"__proto__": {"a": 1}, "b": [null]}'),
      metadata: { google: { thoughtSignature: "s" } },
    },
  ],
};
const result: Message = {
  role: "user",
  parts: [
    { type: "result", id: "1", name: "read_file", output: { inlineData: { mimeType: "image/png", data: "AA==" } }, isError: false },
    { type: "media", mimeType: "image/png", data: "AA==" },
  ],
};

let tick = 0;
const now = () => new Date(Date.UTC(2026, 0, 2, 3, 4, tick++));
const open = (path: string, id = "9d0c1a2b-0000", onProblem?: (problem: TranscriptProblem) => void) =>
  openTranscript({ path, id, cwd: "/work/app", model: "m", now, ...(onProblem && { onProblem }) });
const stored = async (path: string): Promise<StoredSession> => {
  const read = await readTranscript(path);
  if (!read.ok) throw new Error(read.problem.what);
  return read;
};

describe("a transcript", () => {
  it("gives back every message as it was", async () => {
    const path = join(folder, "deep", "chats", "s.jsonl");
    const { transcript, problem } = open(path);
    expect(problem).toBeUndefined();
    expect(transcript.path).toBe(path);
    for (const message of [user("do it\n再见 👋"), call, result, model("done")]) transcript.appendMessage(message);
    transcript.close();
    const read = await stored(path);
    expect(read).toMatchObject({ id: "9d0c1a2b-0000", cwd: "/work/app", model: "m", firstPrompt: "do it\n再见 👋", problems: [] });
    expect(JSON.stringify(read.messages)).toBe(JSON.stringify([user("do it\n再见 👋"), call, result, model("done")]));
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(5);
  });

  it("is for the owner's eyes only", () => {
    const path = join(folder, "deep", "chats", "s.jsonl");
    open(path).transcript.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
  });

  it("is complete on disk after each message, before it is closed", async () => {
    const path = join(folder, "s.jsonl");
    const { transcript } = open(path);
    transcript.appendMessage(user("last words"));
    expect((await stored(path)).messages).toEqual([user("last words")]);
    transcript.appendMessage(model("x".repeat(5_000_000)));
    expect((await stored(path)).messages).toHaveLength(2);
    transcript.close();
  });

  it("goes on where it was when it is opened again", async () => {
    const path = join(folder, "s.jsonl");
    const first = open(path).transcript;
    first.appendMessage(user("one"));
    first.close();
    first.appendMessage(user("after the end"));
    const second = open(path, "another").transcript;
    second.appendMessage(model("two"));
    second.close();
    expect(await stored(path)).toMatchObject({ id: "9d0c1a2b-0000", messages: [user("one"), model("two")] });
  });

  it("is empty after a clear, and goes by its new id", async () => {
    const path = join(folder, "s.jsonl");
    const { transcript } = open(path);
    transcript.appendMessage(user("one"));
    transcript.clear("new-id");
    transcript.appendMessage(user("two"));
    transcript.close();
    expect(await stored(path)).toMatchObject({
      id: "new-id",
      ids: ["9d0c1a2b-0000", "new-id"],
      messages: [user("two")],
      firstPrompt: "two",
    });
  });

  it("gives back every task as it was last, over a clear that keeps the session and not over one that begins another", async () => {
    const path = join(folder, "s.jsonl");
    const task = (id: string, status: Task["status"], more: Partial<Task> = {}): Task => ({
      id,
      subject: "Write",
      description: "",
      status,
      blockedBy: [],
      ...more,
    });
    const { transcript } = open(path);
    transcript.keepTask(task("1", "pending"));
    transcript.keepTask(task("2", "deleted"));
    transcript.keepTask(task("1", "in_progress", { owner: "scout", activeForm: "Writing", blockedBy: ["2"] }));
    transcript.clear("9d0c1a2b-0000");
    const both = [task("1", "in_progress", { owner: "scout", activeForm: "Writing", blockedBy: ["2"] }), task("2", "deleted")];
    expect(await stored(path)).toMatchObject({ id: "9d0c1a2b-0000", tasks: both, problems: [] });
    transcript.clear("new-id");
    transcript.keepTask(task("1", "completed"));
    transcript.close();
    appendFileSync(path, '{"type":"task","at":"x","task":{"id":"2","status":"lost"}}\n');
    expect(await stored(path)).toMatchObject({
      tasks: [task("1", "completed")],
      problems: [{ what: expect.stringMatching(/^Line 8 is no event of version 1 \(task\./) }],
    });
  });

  it("has a summary in place of what was compressed", async () => {
    const path = join(folder, "s.jsonl");
    const { transcript } = open(path);
    for (const message of [user("one"), model("two"), user("three")]) transcript.appendMessage(message);
    transcript.compress("all about one and two", 2);
    transcript.appendMessage(model("four"));
    transcript.close();
    const { messages, firstPrompt } = await stored(path);
    expect(messages.map((message) => message.role)).toEqual(["user", "model", "user", "model"]);
    expect(JSON.stringify(messages[0])).toContain("all about one and two");
    expect(messages.slice(2)).toEqual([user("three"), model("four")]);
    expect(firstPrompt).toBe("one");
  });
});

describe("a damaged transcript", () => {
  it("loses its cut last line, and only that", async () => {
    const path = join(folder, "s.jsonl");
    const first = open(path).transcript;
    first.appendMessage(user("one"));
    first.close();
    appendFileSync(path, '{"type":"message","at":"2026');
    expect(await stored(path)).toMatchObject({ messages: [user("one")], problems: [{ path, what: "The last line, 3, was cut off." }] });
    const second = open(path).transcript;
    second.appendMessage(user("two"));
    second.close();
    expect(await stored(path)).toMatchObject({ messages: [user("one"), user("two")], problems: [{ what: "Line 3 is not JSON." }] });
  });
  it("loses lines that mean nothing, and names them", async () => {
    const path = join(folder, "s.jsonl");
    const { transcript } = open(path);
    transcript.close();
    appendFileSync(path, '{"type":"dream"}\n\n[]\n{"type":"message","at":"x","message":{"role":"user","parts":[{"type":"text"}]}}\n');
    expect((await stored(path)).problems.map((problem) => problem.what.replace(/\(.*/, ""))).toEqual([
      "Line 2 is no event of version 1 ",
      "Line 4 is no event of version 1 ",
      "Line 5 is no event of version 1 ",
    ]);
  });
  it("without its first line, or that is not there, is no session", async () => {
    const path = join(folder, "s.jsonl");
    expect(await readTranscript(path)).toMatchObject({ ok: false, problem: { what: "The transcript cannot be read (ENOENT)." } });
    writeFileSync(path, '{"some":"file"}\n');
    expect(await readTranscript(path)).toMatchObject({ ok: false, problem: { what: "The file has no line that begins a session." } });
  });
});

describe("a transcript that cannot be written", () => {
  it("is a problem, and the session goes on without a path", () => {
    writeFileSync(join(folder, "chats"), "a file where the folder should be");
    const { transcript, problem } = open(join(folder, "chats", "s.jsonl"));
    expect(problem).toMatchObject({ now: expect.stringContaining("kept in memory only") });
    expect(transcript.path).toBe("");
    transcript.appendMessage(user("one"));
    transcript.keepTask({ id: "1", subject: "Write", description: "", status: "pending", blockedBy: [] });
    transcript.clear("x");
    transcript.close();
  });
  it.skipIf(process.getuid?.() === 0)("because of permissions is a problem too", () => {
    chmodSync(folder, 0o500);
    expect(open(join(folder, "chats", "s.jsonl")).problem?.what).toBe("The transcript cannot be written (EACCES).");
    chmodSync(folder, 0o700);
  });
  it.skipIf(process.platform !== "linux")("because the disk is full is told once", () => {
    const problems: TranscriptProblem[] = [];
    const { transcript } = open("/dev/full", "x", (problem) => problems.push(problem));
    transcript.appendMessage(user("one"));
    transcript.appendMessage(user("two"));
    transcript.close();
    expect(problems.map((problem) => problem.what)).toEqual(["The transcript cannot be written (ENOSPC)."]);
  });
});

describe("the sessions of a folder", () => {
  const session = (name: string, id: string, ...texts: string[]) => {
    const { transcript } = open(join(folder, name), id);
    for (const text of texts) transcript.appendMessage(user(text));
    transcript.close();
  };
  beforeEach(() => {
    session("a.jsonl", "aaaa-1", "<hook_context>from a hook</hook_context>\n\nfirst\n  prompt", "more");
    session("b.jsonl", "aabb-2", "second prompt");
    session("empty.jsonl", "cccc-3");
    writeFileSync(join(folder, "notes.jsonl"), "nothing of ours");
    mkdirSync(join(folder, "folder.jsonl"));
  });

  it("are listed newest first, without empty ones and other files", async () => {
    expect((await listSessions(folder)).map(({ id, firstPrompt, messages, path }) => [id, firstPrompt, messages, path])).toEqual([
      ["aabb-2", "second prompt", 1, join(folder, "b.jsonl")],
      ["aaaa-1", "first prompt", 2, join(folder, "a.jsonl")],
    ]);
  });
  it("are ordered by the last thing that happened", async () => {
    session("a.jsonl", "aaaa-1", "still here");
    expect((await listSessions(folder)).map(({ id }) => id)).toEqual(["aaaa-1", "aabb-2"]);
  });
  it.each([
    ["latest", "aabb-2"],
    ["1", "aabb-2"],
    ["2", "aaaa-1"],
    ["aaaa-1", "aaaa-1"],
    ["aab", "aabb-2"],
  ])("are found by %s", async (which, id) => {
    expect(await resolveSession(folder, which)).toMatchObject({ ok: true, session: { id } });
  });
  it.each([
    ["aa", '2 sessions begin with "aa".'],
    ["zz", 'No session is called "zz".'],
    ["3", 'No session is called "3".'],
    ["0", 'No session is called "0".'],
    ["", 'No session is called "".'],
  ])("are not found by %j, and what there is to choose from is said", async (which, problem) => {
    const found = await resolveSession(folder, which);
    expect(found.ok ? "" : found.problem).toContain(problem);
    expect(found.ok ? "" : found.problem).toContain('Choose "latest", a number from 1 to 2, or the beginning of an id: aabb-2, aaaa-1.');
  });
  it("are found by an id they had before a clear", async () => {
    const { transcript } = open(join(folder, "a.jsonl"));
    transcript.clear("dddd-4");
    transcript.appendMessage(user("anew"));
    transcript.close();
    expect(await resolveSession(folder, "aaaa")).toMatchObject({ ok: true, session: { id: "dddd-4" } });
  });
  it("are none where there is no folder", async () => {
    const none = join(folder, "none");
    expect(await listSessions(none)).toEqual([]);
    expect(await resolveSession(none, "latest")).toEqual({ ok: false, problem: `There is no session to resume in ${none}.` });
  });
});
