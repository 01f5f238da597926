/** Lists the configured hooks of a firing in order, each with what became of it and why. */
import { type RunRecord, STATUS_MEANING, type Story, type StoryEntry, statusClass } from "@carabiner/engine";
import { became } from "./became.ts";
import { hanging, oneLine } from "./fit.ts";
import { labelled, type Row } from "./labelled.ts";
import { isForEvent, numberedNames, whyText, withNames } from "./moment.ts";
import { originOf } from "./origin.ts";
import type { Paint } from "./paint.ts";
import { type RunContext, runRows } from "./run.ts";
import type { ViewOptions } from "./view-options.ts";

const INDENT = "     ";

/** In full. Hooks of other events are named in one sentence at the end. */
export function hookLines(story: Story, options: ViewOptions, paint: Paint): readonly string[] {
  if (story.entries.length === 0) return ["  No settings file that was read has a hook."];
  const numbered = story.entries.map((entry, i) => ({ entry, number: i + 1 }));
  const here = numbered.filter(({ entry }) => isForEvent(entry, story.event));
  const others = story.entries.filter((entry) => !isForEvent(entry, story.event));
  return [
    ...here.flatMap(({ entry, number }) => [...oneHook(story, entry, number, options, paint), ""]),
    ...(others.length === 0 ? [] : hanging(forOtherEvents(others), options.columns, "  ", "  ")),
  ];
}

function oneHook(story: Story, entry: StoryEntry, number: number, options: ViewOptions, paint: Paint): readonly string[] {
  const { fired, projectDir, entries } = story;
  const { home, columns } = options;
  const around = { projectDir, home };
  const { words, tone } = became(entry, fired.verdict.overruled);
  const decided = fired.verdict.because.includes(entry.id) ? ", and this decided" : "";
  const context: Omit<RunContext, "sameWithheldAs"> = {
    at: fired.at,
    cwd: fired.cwd,
    home,
    columns,
    indent: INDENT,
    quiet: fired.quiet,
    named: (text) => withNames(text, numberedNames(entries), entries),
  };
  const rows: readonly Row[] = [
    { label: "status", text: `${entry.status} (${STATUS_MEANING[entry.status]})` },
    ...(entry.why === undefined ? [] : [{ label: "why", text: whyText(story, entry, home) }]),
    { label: "from", text: originOf(entry, around) },
    ...(entry.run ? calledRows(entry, entry.run, { ...context, sameWithheldAs: sameWithheldAs(story, entry) }) : []),
  ];
  const lines = hanging(`${oneLine(entry.name)}: ${words}${decided}`, columns, `${String(number).padStart(3)}. `, INDENT);
  return [...lines.map((line) => paint(tone === "none" ? "strong" : tone, line)), ...labelled(rows, INDENT, columns, paint)];
}

/** What is of interest only where a hook was called: how, and what it did. */
function calledRows(entry: StoryEntry, run: RunRecord, context: RunContext): readonly Row[] {
  return [
    { label: "for", text: `${oneLine(entry.wireName)}${matcherText(entry)}` },
    ...(entry.command === undefined ? [] : [{ label: "command", text: oneLine(entry.command) }]),
    ...runRows(entry, run, context),
  ];
}

function sameWithheldAs({ entries }: Story, entry: StoryEntry): string | undefined {
  const names = withheldFrom(entry);
  const first = entries.find((other) => withheldFrom(other) === names);
  return first === undefined || first === entry ? undefined : numberedNames(entries)(first.id);
}
const withheldFrom = ({ status, run }: StoryEntry): string | undefined =>
  statusClass(status) === "failed" && run?.withheldVariables ? run.withheldVariables.join("\0") : undefined;

function matcherText({ matcher, sequential }: StoryEntry): string {
  const text = matcher === undefined || matcher === "" ? "" : `, matcher ${JSON.stringify(oneLine(matcher))}`;
  return sequential ? `${text}, in a sequential group` : text;
}

function forOtherEvents(others: readonly StoryEntry[]): string {
  const byEvent = new Map<string, string[]>();
  for (const { wireName, name } of others) byEvent.set(wireName, [...(byEvent.get(wireName) ?? []), oneLine(name)]);
  const parts = [...byEvent].map(([wireName, names]) => `${names.join(", ")} (${oneLine(wireName)})`);
  return `Not for this event: ${parts.join("; ")}.`;
}
