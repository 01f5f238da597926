/** Turns a tour that was played into one JSON document. */
import type { JsonObject, Story } from "@carabiner/engine";
import { isForEvent } from "../views/index.ts";
import type { Checked } from "./demo-expect.ts";
import { nextCommands } from "./demo-next.ts";
import type { Played } from "./demo-play.ts";
import type { Stage } from "./demo-stage.ts";
import type { Tour } from "./demo-tour.ts";

/** Durations in milliseconds, paths absolute. Hooks of other events are left out of a firing; `carabiner explain ID --json` has everything. */
export function tourDocument(tour: Tour, played: Played, checked: readonly Checked[], stage: Stage, tookMs: number): JsonObject {
  const document: unknown = {
    ok: checked.every(({ holds }) => holds),
    tookMs: Math.round(tookMs),
    folder: stage.folder,
    project: stage.project,
    home: stage.home,
    journal: stage.journalDir,
    transcript: played.transcript,
    session: played.session,
    title: tour.title,
    chapters: played.chapters.map(({ chapter, stories, answers, refused, trouble }) => ({
      ...chapter,
      firings: stories.map(firing),
      refused,
      answers,
      ...(trouble === undefined ? {} : { trouble }),
    })),
    quietFirings: played.quiet,
    expectations: checked,
    next: nextCommands(
      checked,
      played.chapters.flatMap((chapter) => chapter.stories),
    ).map(({ why, lines }) => ({ why, command: lines.map((line) => line.replace(/\\$/, "")).join("") })),
  };
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

function firing({ event, variant, subject, entries, fired }: Story) {
  return {
    id: fired.id,
    at: fired.at,
    durationMs: fired.durationMs,
    event,
    variant,
    subject,
    outcome: fired.outcome,
    hooks: entries
      .filter((entry) => isForEvent(entry, event))
      .map(({ name, dialect, scope, status, why, run }) => ({
        name,
        dialect,
        scope,
        status,
        why,
        ...(run ? { durationMs: run.durationMs, exitCode: run.exitCode, opinion: run.opinion } : {}),
      })),
  };
}
