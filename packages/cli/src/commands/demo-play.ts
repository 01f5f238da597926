/** Plays a tour on its stage: a real agent, one prompt a chapter, and what the journal and the transcript have of each. */
import { openAgent } from "@carabiner/agent";
import { isObject, type Story } from "@carabiner/engine";
import { readJournal } from "@carabiner/engine/journal";
import type { Stage } from "./demo-stage.ts";
import type { Chapter, Tour } from "./demo-tour.ts";
import { readSpoken, type TranscriptResult } from "./demo-transcript.ts";

export interface PlayedChapter {
  readonly chapter: Chapter;
  /** The journal's firings of this chapter, in order. */
  readonly stories: readonly Story[];
  /** From the transcript. */
  readonly answers: readonly string[];
  /** Calls that were answered with an error before any hook was asked, from the transcript. */
  readonly refused: readonly TranscriptResult[];
  /** Why the prompt did not come to its end. */
  readonly trouble: string | undefined;
}
export interface Played {
  readonly chapters: readonly PlayedChapter[];
  readonly session: string;
  readonly transcript: string;
  /** All that was shown, and all that the model would be sent with the next request. */
  readonly shown: string;
  readonly history: string;
  /** Firings that found no hook to run. */
  readonly quiet: number;
}
export interface Listeners {
  readonly played: (chapter: PlayedChapter, number: number) => void;
  /** Something people should know: a settings file that is broken, say. */
  readonly notice: (text: string) => void;
}

/** Rejects with the abort's reason; what a hook or the model does is part of the chapter. */
export async function play(
  stage: Stage,
  tour: Tour,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<({ readonly ok: true } & Played) | { readonly ok: false; readonly why: string }> {
  const { project, home, env } = stage;
  let shown = "";
  const opened = await openAgent({
    cwd: project,
    home,
    env,
    flags: { model: `script/${stage.script}`, mode: "yolo", skipTrust: true },
    tell: (event) => {
      if (event.kind === "text") shown += event.text;
      if (event.kind === "notice" && event.level !== "info") listeners.notice(event.text);
    },
    onEngineEvent: () => undefined,
    signal,
  });
  if (!opened.ok) return { ok: false, why: opened.message };
  const { agent, journal } = opened;
  const session = agent.sessionId();
  const chapters: PlayedChapter[] = [];
  let [stories, lines] = [0, 0];
  try {
    await agent.begin();
    for (const [i, chapter] of tour.chapters.entries()) {
      const trouble = await prompted(() => agent.prompt(chapter.prompt, signal), signal);
      journal.flush();
      const told = readJournal(stage.journalDir, { session }).stories;
      const spoken = readSpoken(agent.transcriptPath(), lines);
      const own = told.slice(stories);
      const played = { chapter, stories: own, answers: spoken.answers, refused: unasked(spoken.results, own), trouble };
      [stories, lines] = [told.length, spoken.lines];
      chapters.push(played);
      listeners.played(played, i + 1);
    }
  } finally {
    await opened.close("exit");
  }
  const { quiet } = readJournal(stage.journalDir, { session });
  return {
    ok: true,
    chapters,
    session,
    transcript: agent.transcriptPath(),
    shown,
    history: JSON.stringify(agent.messages()),
    quiet: quiet.reduce((sum, { count }) => sum + count, 0),
  };
}

async function prompted(prompt: () => Promise<unknown>, signal: AbortSignal): Promise<string | undefined> {
  try {
    await prompt();
    // An abort ends the prompt, and may do so without a rejection.
    signal.throwIfAborted();
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Hooks are asked about every call the agent would make: an error for which nobody was asked is the agent's own. */
function unasked(results: readonly TranscriptResult[], stories: readonly Story[]): readonly TranscriptResult[] {
  const asked = new Set(
    stories.flatMap(({ fired: { facts } }) =>
      isObject(facts?.["tool"]) && typeof facts["tool"].callId === "string" ? [facts["tool"].callId] : [],
    ),
  );
  return results.filter(({ isError, callId }) => isError && !asked.has(callId));
}
