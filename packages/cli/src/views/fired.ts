/** Turns a firing into the short answer: what comes of it, and each hook with its status in a line or two. */
import { type Status, type Story, type StoryEntry, statusClass } from "@carabiner/engine";
import { became } from "./became.ts";
import { duration } from "./duration.ts";
import { oneLine, padded, widthOf, wrapped } from "./fit.ts";
import { messageLines } from "./messages.ts";
import { isForEvent, plainNames, whyText, withNames } from "./moment.ts";
import { effectLines, headline } from "./outcome.ts";
import { type Paint, painter } from "./paint.ts";
import { problemBody } from "./problems.ts";
import type { ViewOptions } from "./view-options.ts";

const MAX_COLUMNS = 100;
/** Of these, why they did not run says the status over again. */
const SAYS_ALL: ReadonlySet<Status> = new Set<Status>(["untrusted", "unapproved", "unsupported", "notFiredHere"]);
/** A longer name has a line of its own. */
const MAX_NAME = 28;

/** Ends with a line end. */
export function firedView(story: Story, given: ViewOptions): string {
  const options = { ...given, columns: Math.min(given.columns, MAX_COLUMNS) };
  const paint = painter(options.colour);
  const messages = messageLines(story, plainNames(story.entries), "    ", options.columns);
  const lines = [
    ...headline(story, options.columns, paint),
    ...effectLines(story, "  ", options.columns),
    ...hookList(story, options, paint),
    ...(messages.length === 0 ? [] : ["", "  The user sees:", ...messages]),
  ];
  return `${lines.join("\n")}\n`;
}

function hookList(story: Story, options: ViewOptions, paint: Paint): readonly string[] {
  const here = story.entries.filter((entry) => isForEvent(entry, story.event));
  const others = story.entries.length - here.length;
  const rest = others === 0 ? [] : [`  ${others === 1 ? "1 hook is" : `${others} hooks are`} configured for other events.`];
  if (here.length === 0) return ["", `  No hook is configured for this event.`, ...rest];
  const nameWidth = Math.min(MAX_NAME, Math.max(...here.map(({ name }) => widthOf(oneLine(name)))));
  return ["", ...here.flatMap((entry) => hookLine(story, entry, nameWidth, options, paint)), ...rest];
}

function hookLine(story: Story, entry: StoryEntry, nameWidth: number, { columns, home }: ViewOptions, paint: Paint): readonly string[] {
  const name = oneLine(entry.name);
  const hanging = " ".repeat(nameWidth + 4);
  const { words, tone } = became(entry, story.fired.verdict.overruled);
  const took = entry.run && statusClass(entry.status) !== "skipped" ? ` (${duration(entry.run.durationMs)})` : "";
  const why = entry.why === undefined ? "" : `: ${whyText(story, entry, home)}`;
  const said = why !== "" && SAYS_ALL.has(entry.status) ? "not run" : words;
  const [first = "", ...more] = wrapped(`${said}${took}${why}`, columns - hanging.length);
  const [head, ...body] =
    widthOf(name) > nameWidth
      ? [...wrapped(name, columns - 2).map((line) => `  ${line}`), hanging + paint(tone, first)]
      : [`  ${padded(name, nameWidth)}  ${paint(tone, first)}`];
  const problems = (entry.run?.problems ?? []).flatMap((one) =>
    wrapped(withNames(problemBody(one), plainNames(story.entries), story.entries), columns - hanging.length),
  );
  return [head ?? "", ...body, ...more.map((line) => hanging + paint(tone, line)), ...problems.map((line) => hanging + line)];
}
