/** Shows problems: what is wrong, what happens now and what to do, with or without the place. */
import { DIALECTS, type EventName, type Problem } from "@carabiner/engine";
import { hanging, oneLine } from "./fit.ts";
import { shortPath } from "./origin.ts";
import { type Paint, painter, type Tone } from "./paint.ts";

/** A problem as it is made, or as a record keeps it. */
interface Told {
  readonly level: Problem["level"];
  readonly what: string;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
  readonly now: string;
  readonly todo?: string | undefined;
}
interface Placed extends Told {
  readonly hook?: string | undefined;
  readonly place:
    | { readonly file: string; readonly jsonPath: string; readonly line?: number | undefined; readonly column?: number | undefined }
    | { readonly entry: string }
    | { readonly path: string };
}

/** Without the place: for where it is plain which hook is meant. */
export function problemBody({ what, expected, found, now, todo }: Told): string {
  const parts = [
    what,
    expected === undefined ? "" : `Expected ${expected}${found === undefined ? "." : `, found ${found}.`}`,
    expected === undefined && found !== undefined ? `Found: ${found}.` : "",
    now,
    todo ?? "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** More are counted only: `carabiner doctor` is the place to read them all. */
const MAX_SHOWN = 5;

/** The worst first. `elsewhere`: how many more there are that do not concern the reader now; `named` puts names in the place of hooks' ids. Ends with a line end. */
export function problemsView(
  problems: readonly Placed[],
  options: { readonly projectDir: string; readonly home: string; readonly columns: number; readonly colour: boolean },
  elsewhere = 0,
  named?: (text: string) => string,
): string {
  const sorted = [...problems].sort((a, b) => SEVERITY.indexOf(a.level) - SEVERITY.indexOf(b.level));
  const lines = problemLines(sorted.slice(0, MAX_SHOWN), options, painter(options.colour), named);
  const more = Math.max(0, sorted.length - MAX_SHOWN);
  const rest = [...(more > 0 ? [`${more} more`] : []), ...(elsewhere > 0 ? [`${elsewhere} in hooks of other events`] : [])];
  const all = rest.length === 0 ? [] : [`  ${lines.length > 0 ? "And " : ""}${rest.join(", ")}: carabiner doctor lists them all.`];
  return `${["", "Problems:", ...lines, ...all].join("\n")}\n`;
}

/** Could the problem bear on this event? One about the hooks of another event does not. */
export function concerns({ place }: Problem, event: EventName): boolean {
  const name = "jsonPath" in place ? /^hooks\.([^.[\]]+)/.exec(place.jsonPath)?.[1] : undefined;
  const rows = name === undefined ? [] : DIALECTS.flatMap((dialect) => (Object.hasOwn(dialect.rows, name) ? [dialect.rows[name]] : []));
  return rows.length === 0 || rows.some((row) => row?.on === event);
}

const SEVERITY: readonly Problem["level"][] = ["error", "warning", "note"];

/** Each with its place on a line of its own. */
export function problemLines(
  problems: readonly Placed[],
  around: { readonly projectDir: string; readonly home: string; readonly columns: number },
  paint: Paint,
  named: (text: string) => string = oneLine,
): readonly string[] {
  return problems.flatMap((one) => {
    const hook = one.hook === undefined ? "" : ` (${one.hook})`;
    const { word, tone } = LEVELS[one.level];
    const place = "entry" in one.place ? named(one.place.entry) : `${where(one.place, around)}${hook}`;
    const [head = "", ...more] = hanging(`${word}: ${place}`, around.columns, "  ", "    ");
    return [paint(tone, head), ...more, ...hanging(named(problemBody(one)), around.columns, "    ", "    ")];
  });
}

const LEVELS: Readonly<Record<Problem["level"], { readonly word: string; readonly tone: Tone }>> = {
  error: { word: "Error", tone: "bad" },
  warning: { word: "Warning", tone: "warning" },
  note: { word: "Note", tone: "muted" },
};

function where(
  place: Exclude<Placed["place"], { readonly entry: string }>,
  around: { readonly projectDir: string; readonly home: string },
): string {
  if ("path" in place) return shortPath(place.path, around);
  const position = place.line === undefined ? "" : `:${place.line}:${place.column ?? 1}`;
  return `${shortPath(place.file, around)}${position}${place.jsonPath === "" ? "" : ` ${oneLine(place.jsonPath)}`}`;
}
