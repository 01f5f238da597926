/** Turns the story of one firing into the whole of it for a person: the event, every hook, how it was decided, and what comes of it. */
import { dialectById, isObject, type Json, type Story } from "@carabiner/engine";
import { jsonLines } from "./block.ts";
import { decisionLines } from "./decision.ts";
import { duration } from "./duration.ts";
import { cut, hanging, oneLine, widthOf } from "./fit.ts";
import { hookLines } from "./hooks.ts";
import { LABEL_WIDTH, labelled, type Row } from "./labelled.ts";
import { messageLines } from "./messages.ts";
import { numberedNames, withNames } from "./moment.ts";
import { homePath } from "./origin.ts";
import { effectLines, headline } from "./outcome.ts";
import { type Paint, painter } from "./paint.ts";
import { problemLines } from "./problems.ts";
import { dateAndTime } from "./time.ts";
import type { ViewOptions } from "./view-options.ts";

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_COLUMNS = 100;

/** Names of facts are a host's, and may be of any length. */
const MAX_LABEL = 40;

/** Ends with a line end. */
export function storyView(story: Story, given: ViewOptions): string {
  const options = { ...given, columns: Math.min(given.columns, MAX_COLUMNS) };
  const paint = painter(options.colour);
  const named = (text: string): string => withNames(text, numberedNames(story.entries), story.entries);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["The event", eventLines(story, options, paint)],
    [hooksTitle(story), hookLines(story, options, paint)],
    ["How it was decided", decisionLines(story, options.columns)],
    ["What happens now", effectLines(story, "  ", options.columns)],
    ["What the user sees", messageLines(story, numberedNames(story.entries), "  ", options.columns)],
    ["Problems", problemLines(story.fired.problems, { ...options, projectDir: story.projectDir }, paint, named)],
    ["Where the real CLI does otherwise", divergenceLines(story, options)],
  ];
  const title = headline(story, options.columns, paint);
  const shown = sections.filter(([, lines]) => lines.length > 0);
  return `${[...title, ...shown.flatMap(([heading, lines]) => ["", paint("strong", heading), ...withoutLastBlank(lines)])].join("\n")}\n`;
}

function eventLines({ fired, projectDir, entries }: Story, options: ViewOptions, paint: Paint): readonly string[] {
  const { home, columns, stdin, timeZone } = options;
  const width = columns - 2 - LABEL_WIDTH - 2;
  const elsewhere = fired.cwd === projectDir ? "" : `, in ${homePath(oneLine(fired.cwd), home)}`;
  const { agent } = fired;
  const read = new Map(entries.flatMap(({ id, dialect }) => [[dialect ?? "", stdin?.get(id)] as const].filter(([, object]) => object)));
  const rows: readonly Row[] = [
    { label: "firing", text: fired.id },
    { label: "at", text: `${dateAndTime(fired.at, timeZone)}, for ${duration(fired.durationMs)}` },
    { label: "project", text: `${homePath(oneLine(projectDir), home)}${elsewhere}` },
    { label: "session", text: oneLine(fired.session) },
    ...(agent === undefined ? [] : [{ label: "sub-agent", text: `${oneLine(agent.type)} (${oneLine(agent.id)})` }]),
    ...(fired.quiet ? [{ label: "told", text: "A hook asked to keep input and output of this firing off the records." }] : []),
    ...Object.entries(fired.facts ?? {}).flatMap(([key, value]) => factRows(key, value, width)),
    ...[...read].flatMap(([dialect, object]): readonly Row[] =>
      object
        ? [{ label: "stdin", lines: [`of the hooks of ${dialectById(dialect)?.title ?? dialect}:`, ...jsonLines(object, width)] }]
        : [],
    ),
  ];
  return labelled(rows, "  ", columns, paint);
}

/** One level of an object is spread out: `tool.name`, `tool.input`. */
function factRows(key: string, value: Json, width: number): readonly Row[] {
  if (!isObject(value)) return [factRow(key, value, width)];
  return Object.entries(value).map(([inner, one]) => factRow(`${key}.${inner}`, one, width));
}
function factRow(label: string, value: Json, width: number): Row {
  // A label that does not fit beside the others stands above its value.
  const lines = jsonLines(value, width);
  return widthOf(oneLine(label)) <= LABEL_WIDTH
    ? { label: oneLine(label), lines }
    : { label: `${cut(label, MAX_LABEL)}:`, lines: ["", ...lines] };
}

function hooksTitle({ entries, ran }: Story): string {
  if (entries.length === 0) return "No hooks are configured";
  return `Hooks: ${entries.length} configured, ${ran.length === 0 ? "none" : ran.length} of them called`;
}

function divergenceLines({ fired }: Story, { columns }: ViewOptions): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const full of fired.divergences) {
    const [dialectId = "", id = ""] = full.split(/:(.*)/s);
    const dialect = dialectById(dialectId);
    const found = dialect?.divergences.find((one) => one.id === id);
    const group =
      found && dialect ? `${dialect.title}, as seen in its versions ${found.observed}:` : "Known to another version of carabiner only:";
    groups.set(group, [...(groups.get(group) ?? []), found ? `${found.says} [${id}]` : full]);
  }
  return [...groups].flatMap(([group, texts]) => [
    ...hanging(group, columns, "  ", "  "),
    ...texts.flatMap((text) => hanging(text, columns, "  - ", "    ")),
  ]);
}

const withoutLastBlank = (lines: readonly string[]): readonly string[] => (lines.at(-1) === "" ? lines.slice(0, -1) : lines);
