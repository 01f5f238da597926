/** Turns a transcript on disk back into the session it tells of. */
import { readFile } from "node:fs/promises";
import type { Message } from "../models/index.ts";
import type { Task } from "../tasks/index.ts";
import { summaryMessages } from "./compression.ts";
import { eventOf, type SessionEvent } from "./event.ts";
import type { TranscriptProblem } from "./transcript.ts";

/** `id` is the newest, `ids` all that the session had, oldest first. `messages` is the history after clears and compressions. */
export interface StoredSession {
  readonly ok: true;
  readonly id: string;
  readonly ids: readonly string[];
  readonly cwd: string;
  readonly model: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly messages: readonly Message[];
  /** Every task of the session as it is now, in the order of their making; deleted ones too. */
  readonly tasks: readonly Task[];
  /** The first thing a person said since the last clear, without what hooks put before it; `""` when nothing was said. */
  readonly firstPrompt: string;
  /** Lines that were left out, and why. */
  readonly problems: readonly TranscriptProblem[];
}

/**
 * A line that cannot be read costs only itself: a cut last line is what a crash leaves. Not a session at all when the file cannot be read
 * or its `session` line is missing.
 */
export async function readTranscript(path: string): Promise<StoredSession | { readonly ok: false; readonly problem: TranscriptProblem }> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return { ok: false, problem: { path, what: `The transcript cannot be read (${code}).`, now: "This session cannot be resumed." } };
  }
  const problems: TranscriptProblem[] = [];
  const events = eventsOf(text, path, problems);
  const head = events.find((event) => event.type === "session");
  if (!head)
    return { ok: false, problem: { path, what: "The file has no line that begins a session.", now: "It is not taken for a session." } };
  const ids = [head.id];
  let messages: Message[] = [];
  const tasks = new Map<string, Task>();
  let firstPrompt = "";
  for (const event of events) {
    switch (event.type) {
      case "session":
        break;
      case "message":
        messages.push(event.message);
        if (firstPrompt === "") firstPrompt = promptOf(event.message);
        break;
      case "task":
        tasks.set(event.task.id, event.task);
        break;
      case "clear":
        messages = [];
        firstPrompt = "";
        if (ids.at(-1) === event.newId) break;
        ids.push(event.newId);
        tasks.clear();
        break;
      case "compression":
        messages = [...summaryMessages(event.summary, messages.slice(event.keptFrom))];
        break;
    }
  }
  const last = events.at(-1);
  return {
    ok: true,
    id: ids.at(-1) ?? head.id,
    ids,
    cwd: head.cwd,
    model: head.model,
    startedAt: head.startedAt,
    updatedAt: last && last.type !== "session" ? last.at : head.startedAt,
    messages,
    tasks: [...tasks.values()],
    firstPrompt,
    problems,
  };
}

function eventsOf(text: string, path: string, problems: TranscriptProblem[]): readonly SessionEvent[] {
  const lines = text.split("\n");
  const events: SessionEvent[] = [];
  lines.forEach((line, i) => {
    if (line.trim() === "") return;
    const read = eventOf(line);
    if (read.ok) events.push(read.event);
    else {
      const isCut = i === lines.length - 1;
      problems.push({
        path,
        what: isCut ? `The last line, ${i + 1}, was cut off.` : `Line ${i + 1} ${read.what}.`,
        now: "It is left out.",
      });
    }
  });
  return events;
}

/** What a person said, without context of hooks in front of it. */
function promptOf(message: Message): string {
  if (message.role !== "user") return "";
  const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return text.replace(/^\s*(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/, "").trim();
}
