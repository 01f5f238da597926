/** Sets one firing in type: what the agent was about to do, what each hook said of it, and what came of it. */
import { dialectById, isObject, type Json, type JsonObject, type Story, type StoryEntry, statusClass } from "@carabiner/engine";
import {
  actionOf,
  became,
  cut,
  duration,
  effectLines,
  isForEvent,
  oneLine,
  type Paint,
  padded,
  placesOf,
  shortPath,
  widthOf,
  withNames,
  wrapped,
} from "../views/index.ts";
import { argumentLines, momentOf } from "./demo-moment.ts";

/** Of a chapter's text, and of what belongs to one firing in it. In spaces. */
export const INDENT = "   ";
export const INNER = `${INDENT}   `;
/** How much of a text is shown. */
const MAX_LINES = 3;
const MAX_NAME = 24;

/** Did a hook say something, fail, or change what happens? A tool about to run is told in any case. */
export const isTold = ({ event, ran, fired }: Story): boolean =>
  event === "beforeTool" || fired.outcome["action"] !== "proceed" || ran.some(isHeard);
const isHeard = ({ status, run }: StoryEntry): boolean => status !== "ok" || (run !== undefined && Object.keys(run.opinion).length > 0);

/** `skipped`: why hooks did not run, as far as it is worth telling. */
export function storyLines(story: Story, skipped: readonly string[], columns: number, paint: Paint): readonly string[] {
  const { says, quotes } = momentOf(story);
  const { tone } = actionOf(story);
  const title = [...new Set(ofEvent(story).map(({ wireName }) => wireName))].join(" / ");
  const [first = "", ...more] = indented(says, INDENT, columns - widthOf(title) - 2);
  const [effect = "", ...effects] = changeLines(story, columns) ?? effectLines(story, INNER, columns);
  return [
    padded(first, columns - widthOf(title)) + paint("muted", title),
    ...more,
    ...quotes.flatMap((text) => barred(text, INNER, columns)),
    ...hookLines(story, columns, paint),
    ...(skipped.length === 0 ? [] : indented(`Not run: ${skipped.join("; ")}.`, INDENT, columns).map((line) => paint("muted", line))),
    `${INDENT}${paint(tone, "=>")} ${paint(tone === "good" ? "none" : tone, effect.trimStart())}`,
    ...effects,
  ];
}

/** Of every hook of this event that did not run: why, and a key that is the same for the same hook and reason. */
export function whySkipped(story: Story, home: string): readonly { readonly key: string; readonly text: string }[] {
  const around = { projectDir: story.projectDir, home };
  return ofEvent(story)
    .filter(({ run }) => run === undefined)
    .map((entry) => {
      const { words } = became(entry, story.fired.verdict.overruled);
      const why =
        entry.why === undefined || entry.status === "notMatched"
          ? ""
          : `: ${withNames(oneLine(entry.why), placesOf(story.entries, around), story.entries).replace(/\/\S+/g, (path) => shortPath(path, around))}`;
      return { key: JSON.stringify([entry.name, entry.wireName, entry.status]), text: `${oneLine(entry.name)} (${words}${why})` };
    });
}

const ofEvent = (story: Story): readonly StoryEntry[] => story.entries.filter((entry) => isForEvent(entry, story.event));

/** Those that were heard one a line, with their words where there are several or it failed; the others on one line. */
function hookLines(story: Story, columns: number, paint: Paint): readonly string[] {
  const ran = ofEvent(story).filter(({ run }) => run !== undefined);
  const heard = ran.filter(isHeard);
  const silent = ran.filter((entry) => !isHeard(entry)).map(({ name }) => oneLine(name));
  const width = Math.max(0, ...heard.map(({ name }) => Math.min(MAX_NAME, widthOf(oneLine(name)))));
  const severalDialects = new Set(ran.map(({ dialect }) => dialect)).size > 1;
  return [
    ...heard.flatMap((entry) => {
      const { words, tone } = became(entry, story.fired.verdict.overruled);
      const failed = statusClass(entry.status) === "failed";
      const took = entry.run && !failed ? [duration(entry.run.durationMs)] : [];
      const speaks = severalDialects && entry.dialect !== undefined ? [dialectById(entry.dialect)?.title ?? entry.dialect] : [];
      const aside = [...took, ...speaks].join(", ");
      const head = `${INDENT}${paint("strong", padded(cut(entry.name, MAX_NAME), width))}  ${paint(tone, words)}${aside === "" ? "" : paint("muted", ` (${aside})`)}`;
      const said = heard.length > 1 || failed ? saidBy(entry) : "";
      return said === "" ? [head] : [head, ...barred(said, `${INDENT}${" ".repeat(width + 2)}`, columns)];
    }),
    ...(silent.length === 0 ? [] : indented(`${silent.join(", ")}: no opinion`, INDENT, columns).map((line) => paint("muted", line))),
  ];
}

/** The words of a hook as far as they are words: its reason, its context, or what it wrote to stderr before it failed. */
function saidBy({ run, status }: StoryEntry): string {
  if (run === undefined) return "";
  if (statusClass(status) === "failed") return run.stderr ?? "";
  const { ruling, context, message } = run.opinion;
  const reason = isObject(ruling) ? ruling.reason : undefined;
  return [reason, context, message].filter((text) => typeof text === "string").join("\n");
}

/** The two outcomes that are shorter told as arguments than as the JSON they are. */
function changeLines({ fired }: Story, columns: number): readonly string[] | undefined {
  const { action, input, tailCall } = fired.outcome;
  if (action !== "proceed") return undefined;
  if (isObject(tailCall) && isObject(tailCall.input))
    return [
      ...indented(`${String(tailCall.name)} runs next, and the model reads its result instead of this one:`, INNER, columns),
      ...argumentLines(tailCall.input).flatMap((text) => barred(text, `${INNER}  `, columns)),
    ];
  if (isObject(input))
    return [
      ...indented("The tool runs, with this changed:", INNER, columns),
      ...argumentLines(changed(input, fired.facts?.["tool"])).flatMap((text) => barred(text, `${INNER}  `, columns)),
    ];
  return undefined;
}
function changed(input: JsonObject, tool: Json | undefined): JsonObject {
  const before = isObject(tool) && isObject(tool.input) ? tool.input : {};
  return Object.fromEntries(Object.entries(input).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])));
}

/** Wrapped, each line behind the indentation. */
export const indented = (text: string, indent: string, columns: number): readonly string[] =>
  wrapped(text, columns - widthOf(indent)).map((line) => indent + line);

/** Foreign text behind a bar; of a long one the beginning. */
export function barred(text: string, indent: string, columns: number): readonly string[] {
  const lines = wrapped(text.trimEnd(), columns - widthOf(indent) - 2).filter((line) => line.trim() !== "");
  const shown = lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), `[${lines.length - MAX_LINES + 1} more lines]`];
  return shown.map((line) => `${indent}| ${line}`);
}
