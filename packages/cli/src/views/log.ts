/** Turns the journal's firings into one line each, and those in which nothing ran into a sentence. */
import { DIALECTS, EVENT_NAMES, type QuietRecord, type Story, statusClass } from "@carabiner/engine";
import { aligned } from "./align.ts";
import { duration } from "./duration.ts";
import { oneLine, wrapped } from "./fit.ts";
import { eventTitle, wireNames } from "./moment.ts";
import { actionOf, decidedBy } from "./outcome.ts";
import { painter } from "./paint.ts";
import { dateAndTime } from "./time.ts";
import type { ViewOptions } from "./view-options.ts";

const MAX_SUBJECT = 18;

/** Columns: when, id, event, what it was about, what came of it. In the order given; ends with a line end unless empty. */
export function logView(stories: readonly Story[], { columns, colour, timeZone }: ViewOptions): string {
  const paint = painter(colour);
  const rows = stories.map((story) => [
    // The journal does not go back as far as a year.
    dateAndTime(story.fired.at, timeZone).slice("yyyy-".length),
    story.fired.id,
    eventTitle(story),
    oneLine(story.subject ?? ""),
    `${actionOf(story).word}${decidedBy(story)}${inAgent(story)}, ${counts(story)}, ${duration(story.fired.durationMs)}`,
  ]);
  const lines = aligned(rows, [{}, {}, { max: 20 }, { max: MAX_SUBJECT }, {}], columns);
  return lines.map((line, i) => `${paint(lineTone(stories[i]), line)}\n`).join("");
}

function lineTone(story: Story | undefined) {
  if (!story) return "none";
  const { tone } = actionOf(story);
  return tone === "good" ? (failed(story) > 0 ? "warning" : "none") : tone;
}

const inAgent = ({ fired }: Story): string => (fired.agent === undefined ? "" : ` in sub-agent ${oneLine(fired.agent.type)}`);
const failed = ({ ran }: Story): number => ran.filter(({ status }) => statusClass(status) === "failed").length;
function counts(story: Story): string {
  if (story.ran.length === 0) return "no hooks";
  const hooks = story.ran.length === 1 ? "1 hook" : `${story.ran.length} hooks`;
  return failed(story) === 0 ? hooks : `${failed(story)} of ${hooks} failed`;
}

/** How often each event was fired without any hook running. Empty if never. */
export function quietView(quiet: readonly Pick<QuietRecord, "event" | "count">[], { columns }: ViewOptions): string {
  const byEvent = new Map<string, number>();
  for (const { event, count } of quiet) byEvent.set(event, (byEvent.get(event) ?? 0) + count);
  const all = [...byEvent.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return "";
  const parts = [...byEvent].map(([event, count]) => `${count} ${nameOf(event)}`);
  const times = all === 1 ? "Once an event was fired, and no hook was called" : `${all} times an event was fired, and no hook was called`;
  return `${wrapped(`${times}: ${parts.join(", ")}.`, Math.min(columns, 100)).join("\n")}\n`;
}
function nameOf(event: string): string {
  const known = EVENT_NAMES.find((name) => name === event);
  return (known && DIALECTS.flatMap((dialect) => wireNames(dialect, known))[0]) ?? oneLine(event);
}
