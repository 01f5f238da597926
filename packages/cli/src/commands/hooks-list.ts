/** `carabiner hooks list`: every configured hook of every layer in order, whether it runs and why not, then what is wrong with the settings. */
import {
  admitted,
  commandOf,
  type Dialect,
  type Engine,
  type Entry,
  entryRecord,
  plain,
  type Standing,
  type Status,
} from "@carabiner/engine";
import type { Io } from "../io.ts";
import {
  layersView,
  oneLine,
  originOf,
  type Paint,
  padded,
  painter,
  problemLines,
  shortPaths,
  type ViewOptions,
  viewOptions,
  widthOf,
  wrapped,
} from "../views/index.ts";
import { openEngine } from "./hooks-engine.ts";

export interface ListWords {
  readonly json?: boolean;
  readonly dialect?: string;
}

/** `enabled`: it runs when its event and matcher fit; else why it never does. */
export type Enabled =
  | "enabled"
  | Extract<Status, "disabled" | "untrusted" | "unapproved" | "unsupported" | "notFiredHere" | "broken" | "badMatcher" | "duplicate">;

export interface ListedHook {
  readonly entry: Entry;
  readonly status: Enabled;
  readonly why: string | undefined;
  /** Of a project's hooks: how they stand to what the user has approved. */
  readonly trust: Standing["state"] | undefined;
}

export function listHooks({ json, dialect }: ListWords, io: Io): number {
  const opened = openEngine(io, dialect);
  if (!opened.ok) {
    io.err(`${opened.problem}\n`);
    return 1;
  }
  const { engine } = opened;
  const listed = listedHooks(engine);
  io.out(json ? `${JSON.stringify(asJson(engine, listed), null, 2)}\n` : asText(engine, listed, viewOptions(io)));
  return 0;
}

/** In the engine's order; what an `if` or a matcher says of a single firing is not looked at. */
export function listedHooks(engine: Engine): readonly ListedHook[] {
  const trust = new Map(engine.standings().map((standing) => [standing.entry.id, standing]));
  const required = engine.snapshot().carabiner.trust === "require";
  const unapproved = (entry: Entry): Standing | undefined => {
    const standing = trust.get(entry.id);
    return required && standing !== undefined && standing.state !== "approved" ? standing : undefined;
  };
  const doubles = duplicates(engine.hooks().filter((entry) => !entry.barred && !unapproved(entry)));
  return engine.hooks().map((entry): ListedHook => {
    const standing = trust.get(entry.id);
    const about = { entry, trust: standing?.state };
    // What can never run needs nobody's approval; what an untrusted folder keeps from running may need it later.
    if (entry.barred) return { entry, trust: entry.barred.status === "untrusted" ? standing?.state : undefined, ...entry.barred };
    const open = unapproved(entry);
    if (open) return { ...about, status: "unapproved", why: open.why ?? "it was shown and never approved" };
    const why = doubles.get(entry.id);
    return why === undefined ? { ...about, status: "enabled", why } : { ...about, status: "duplicate", why };
  });
}

/** As the engine settles it for hooks that match the same: id -> why another copy runs in its place. */
function duplicates(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const alike = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${entry.wireName} ${entry.matcher ?? ""}`;
    alike.set(key, [...(alike.get(key) ?? []), entry]);
  }
  const dropped = [...alike.values()].flatMap((group) => [...admitted(group, () => undefined).changed]);
  const places = new Map(entries.map((entry) => [entry.id, originOf(entry, { projectDir: "/", home: "/" })]));
  return new Map(
    dropped.map(([id, { by }]) => [id, `the same hook is configured at ${(by && places.get(by)) ?? by}, and runs from there`]),
  );
}

function asJson(engine: Engine, listed: readonly ListedHook[]): object {
  return {
    projectDir: engine.projectDir,
    hooks: listed.map(({ entry, status, why, trust }) => ({
      ...entryRecord(entry),
      status,
      ...(why === undefined ? {} : { why }),
      ...(trust === undefined ? {} : { trust }),
      ...(entry.description === undefined ? {} : { description: entry.description }),
      timeoutGiven: entry.timeoutGiven,
      once: entry.once,
      background: entry.background,
    })),
    problems: engine.problems(),
  };
}

function asText(engine: Engine, listed: readonly ListedHook[], options: ViewOptions): string {
  const around = { projectDir: engine.projectDir, home: options.home, columns: options.columns };
  const paint = painter(options.colour);
  const problems = engine.problems();
  const told = problems.length === 0 ? "" : `\n${[heading(problems.length), ...problemLines(problems, around, paint)].join("\n")}\n`;
  if (listed.length === 0)
    return [
      `No hooks are configured for ${oneLine(engine.projectDir)}.`,
      "",
      layersView(engine.layers(), around),
      "What to do next:",
      "  carabiner init                   writes a first hook and tries it",
      "  carabiner hooks add --help       writes one for any event",
      "  carabiner doctor                 says what is found where",
      told,
    ].join("\n");
  const statusWidth = Math.max(...listed.map(({ status }) => WORDS[status].word.length));
  const lines = grouped(listed).flatMap(([, group], i) => {
    const [{ entry }] = group;
    const title = engine.dialects.length > 1 ? ` (${dialectOf(engine, entry)?.title ?? "code"})` : "";
    return [
      ...(i === 0 ? [] : [""]),
      paint("strong", `${oneLine(entry.wireName)}${title}`),
      ...group.flatMap((one) => hookLines(engine, one, statusWidth, options, paint)),
    ];
  });
  return `${lines.join("\n")}\n${told}`;
}

const heading = (count: number): string => (count === 1 ? "One problem in the settings:" : `${count} problems in the settings:`);

const WORDS: Readonly<Record<Enabled, { readonly word: string; readonly tone: "good" | "muted" | "warning" | "bad" }>> = {
  enabled: { word: "enabled", tone: "good" },
  disabled: { word: "disabled", tone: "muted" },
  untrusted: { word: "untrusted", tone: "warning" },
  unapproved: { word: "unapproved", tone: "warning" },
  unsupported: { word: "unsupported", tone: "warning" },
  notFiredHere: { word: "never fired", tone: "warning" },
  broken: { word: "broken", tone: "bad" },
  badMatcher: { word: "bad matcher", tone: "bad" },
  duplicate: { word: "duplicate", tone: "muted" },
};

function hookLines(
  engine: Engine,
  { entry, status, why, trust }: ListedHook,
  statusWidth: number,
  options: ViewOptions,
  paint: Paint,
): readonly string[] {
  const { word, tone } = WORDS[status];
  const indent = " ".repeat(statusWidth + 4);
  const beside = (text: string): readonly string[] => wrapped(text, options.columns - widthOf(indent));
  const command = commandOf(entry) ?? "";
  const matcher = entry.matcher === undefined ? "" : `  matcher ${oneLine(entry.matcher)}`;
  const [first = "", ...more] = beside(`${oneLine(entry.name)}${matcher}`);
  const facts = [
    originOf(entry, { projectDir: engine.projectDir, home: options.home }),
    timeoutText(entry, dialectOf(engine, entry)),
    ...(entry.sequential ? ["sequential"] : []),
    ...(entry.background ? ["async"] : []),
    ...(entry.once ? ["once a session"] : []),
    ...(entry.onFailure === "block" ? ["onFailure block"] : []),
    ...(trust === "new" || trust === "changed" ? [`${trust}: not approved yet`] : []),
  ];
  return [
    `  ${paint(tone, padded(word, statusWidth))}  ${first}`,
    ...[
      ...more,
      ...(command === entry.name || command === "" ? [] : commandLines(command, beside)),
      ...(entry.description === undefined ? [] : beside(entry.description)),
    ].map((line) => indent + line),
    ...beside(facts.join(", ")).map((line) => indent + paint("muted", line)),
    ...(why === undefined
      ? []
      : beside(`why: ${shortPaths(oneLine(why), { projectDir: engine.projectDir, home: options.home })}`).map(
          (line) => indent + paint(tone, line),
        )),
  ];
}

/** A command of several lines keeps them. */
const commandLines = (command: string, beside: (text: string) => readonly string[]): readonly string[] => beside(plain(command).trim());

function timeoutText({ timeoutMs, timeoutGiven }: Entry, dialect: Dialect | undefined): string {
  const { unitMs, unit } = dialect?.timeout ?? { unitMs: 1, unit: "milliseconds" };
  return `timeout ${timeoutMs / unitMs} ${unit === "milliseconds" ? "ms" : unit === "seconds" ? "s" : unit}${timeoutGiven ? "" : " (default)"}`;
}

const dialectOf = ({ dialects }: Engine, { dialect }: Entry): Dialect | undefined => dialects.find(({ id }) => id === dialect);

/** By dialect and event, in the order in which an event's first hook comes. */
function grouped(listed: readonly ListedHook[]): readonly (readonly [string, readonly [ListedHook, ...ListedHook[]]])[] {
  const groups = new Map<string, [ListedHook, ...ListedHook[]]>();
  for (const one of listed) {
    const key = `${one.entry.dialect ?? ""} ${one.entry.wireName}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups];
}
