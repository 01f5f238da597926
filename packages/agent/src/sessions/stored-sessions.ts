/** Turns a folder of transcripts into the sessions that can be resumed, and what a person typed into one of them. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTranscript } from "./read-transcript.ts";

/** `messages` is how many the history has; `firstPrompt` one line of at most 200 characters. */
export interface SessionSummary {
  readonly id: string;
  /** All ids the session had, oldest first. */
  readonly ids: readonly string[];
  readonly path: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly firstPrompt: string;
  readonly messages: number;
}

/** Newest first, by the last thing that happened. Sessions in which nothing was said, and files that are no transcript, are left out. */
export async function listSessions(dir: string): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (const name of await namesIn(dir)) {
    const path = join(dir, name);
    const stored = await readTranscript(path);
    if (!stored.ok || stored.messages.length === 0) continue;
    const { id, ids, startedAt, updatedAt, firstPrompt, messages } = stored;
    found.push({
      id,
      ids,
      path,
      startedAt,
      updatedAt,
      firstPrompt: firstPrompt.replace(/\s+/g, " ").slice(0, 200),
      messages: messages.length,
    });
  }
  return found.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.startedAt.localeCompare(a.startedAt));
}

export type ResolvedSession = { readonly ok: true; readonly session: SessionSummary } | { readonly ok: false; readonly problem: string };

/** `which`: `latest`, a place in the list counted from 1, an id, or the beginning of one. The problem says what there is to choose from. */
export async function resolveSession(dir: string, which: string): Promise<ResolvedSession> {
  const sessions = await listSessions(dir);
  const none = { ok: false, problem: `There is no session to resume in ${dir}.` } as const;
  const [latest] = sessions;
  if (!latest) return none;
  if (which === "latest") return { ok: true, session: latest };
  const known = sessions.find((session) => session.ids.includes(which));
  if (known) return { ok: true, session: known };
  const place = /^\d{1,6}$/.test(which) ? sessions[Number(which) - 1] : undefined;
  if (place) return { ok: true, session: place };
  const begun = which === "" ? [] : sessions.filter((session) => session.ids.some((id) => id.startsWith(which)));
  const [only] = begun;
  if (only && begun.length === 1) return { ok: true, session: only };
  const choice = `Choose "latest", a number from 1 to ${sessions.length}, or the beginning of an id: ${sessions
    .slice(0, 5)
    // As the list shows them.
    .map((session) => session.id.slice(0, 8))
    .join(", ")}${sessions.length > 5 ? `, and ${sessions.length - 5} more` : ""}.`;
  return {
    ok: false,
    problem: begun.length > 1 ? `${begun.length} sessions begin with "${which}". ${choice}` : `No session is called "${which}". ${choice}`,
  };
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir)).filter((name) => name.endsWith(".jsonl"));
  } catch (error) {
    // A folder that is not there yet holds no sessions; one that may not be read gives none either.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
