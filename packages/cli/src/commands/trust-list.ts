/** `carabiner trust list`: the folder's decision, and each project hook in full with how it stands. */
import { type Engine, entryRecord, plain, type Standing } from "@carabiner/engine";
import type { Io } from "../io.ts";
import {
  dateAndTime,
  homePath,
  oneLine,
  originOf,
  type Paint,
  padded,
  painter,
  shortPath,
  type Tone,
  type ViewOptions,
  viewOptions,
  wrapped,
} from "../views/index.ts";
import type { TrustWords } from "./trust.ts";
import { openProject } from "./trust-open.ts";

export async function listTrust(names: readonly string[], { json }: TrustWords, io: Io): Promise<number> {
  const engine = await openProject(io);
  const all = engine.standings();
  const unknown = names.find((name) => !all.some(({ entry }) => entry.name === name));
  if (unknown !== undefined)
    return refuseName(
      unknown,
      all.map(({ entry }) => entry.name),
      io,
    );
  const shown = names.length === 0 ? all : all.filter(({ entry }) => names.includes(entry.name));
  io.out(json ? `${JSON.stringify(asJson(engine, shown), null, 2)}\n` : asText(engine, shown, viewOptions(io)));
  return 0;
}

export function refuseName(name: string, known: readonly string[], { err }: Io): 1 {
  const list =
    known.length === 0
      ? ["This project has no hooks."]
      : ["The project's hooks are:", ...[...new Set(known)].map((one) => `  ${oneLine(one)}`)];
  err(`${[`No hook of this project is called ${JSON.stringify(oneLine(name))}.`, ...list].join("\n")}\n`);
  return 1;
}

/** One hook as everybody should see it before saying yes: the whole command, and every script it names. */
export function standingLines(
  engine: Engine,
  standing: Standing,
  { home, columns, timeZone }: ViewOptions,
  paint: Paint,
): readonly string[] {
  const { entry, fingerprint, state, why, at } = standing;
  const around = { projectDir: engine.projectDir, home };
  const beside = (text: string): readonly string[] => wrapped(text, columns - INDENT.length).map((line) => INDENT + line);
  const when = at === undefined ? "" : `, since ${dateAndTime(at, timeZone)}`;
  const { word, tone } = STATES[state];
  const [title = "", ...more] = beside(`${oneLine(entry.name)} (${oneLine(entry.wireName)})${when}`);
  return [
    `  ${paint(tone, padded(word, WIDTH))}  ${title.slice(INDENT.length)}`,
    ...more,
    ...plain(entryRecord(entry).command ?? "")
      .split("\n")
      .flatMap((line) => wrapped(`$ ${line}`, columns - INDENT.length))
      .map((line) => INDENT + paint("strong", line)),
    ...beside(`from ${originOf(entry, around)}`),
    ...fingerprint.scripts.flatMap(({ path, sha256 }) => beside(`script ${shortPath(path, around)} ${hashText(sha256)}`)),
    ...(why === undefined ? [] : beside(`why: ${why}`)),
    ...(entry.barred === undefined ? [] : beside(`does not run: ${entry.barred.why}`)),
  ];
}

const STATES: Readonly<Record<Standing["state"], { readonly word: string; readonly tone: Tone }>> = {
  approved: { word: "approved", tone: "good" },
  seen: { word: "seen", tone: "warning" },
  changed: { word: "changed", tone: "warning" },
  new: { word: "new", tone: "warning" },
};
const WIDTH = Math.max(...Object.values(STATES).map(({ word }) => word.length));
const INDENT = " ".repeat(WIDTH + 4);

const hashText = (sha256: string): string => (/^[0-9a-f]{64}$/.test(sha256) ? `sha256 ${sha256.slice(0, 12)}` : `(${sha256})`);

function asJson(engine: Engine, standings: readonly Standing[]): object {
  const { trusted, by } = engine.folder();
  return {
    folder: { path: engine.projectDir, ...(trusted === undefined ? {} : { trusted }), by },
    hooks: standings.map(({ entry, fingerprint, state, why, at }) => ({
      ...entryRecord(entry),
      state,
      ...(why === undefined ? {} : { why }),
      ...(at === undefined ? {} : { at }),
      scripts: fingerprint.scripts,
      digest: fingerprint.digest,
      ...(entry.barred === undefined ? {} : { barred: entry.barred }),
    })),
  };
}

function footer(engine: Engine, open: number, all: number): string {
  const { trusted } = engine.folder();
  // What nobody may run is not open because of its approval.
  if (trusted === false) return `${openText(open, all)} None of them runs while the folder is not trusted.`;
  return `${openText(open, all)} ${POLICIES[engine.snapshot().carabiner.trust ?? "warn"]}`;
}

function asText(engine: Engine, standings: readonly Standing[], options: ViewOptions): string {
  const paint = painter(options.colour);
  const open = standings.filter(({ state }) => state !== "approved").length;
  return `${[
    ...folderLines(engine, options, paint),
    "",
    ...(standings.length === 0 ? ["This project has no hooks of its own: there is nothing to approve."] : []),
    ...standings.flatMap((standing, i) => [...(i === 0 ? [] : [""]), ...standingLines(engine, standing, options, paint)]),
    ...(open === 0
      ? []
      : ["", ...wrapped(footer(engine, open, standings.length), options.columns), "Read them, then: carabiner trust approve [names]"]),
  ].join("\n")}\n`;
}

function openText(open: number, all: number): string {
  if (all === 1) return "It is not approved as it is now.";
  if (open === all) return "None of them is approved as it is now.";
  return `${open} of ${all} ${open === 1 ? "is not approved as it is" : "are not approved as they are"} now.`;
}

const POLICIES = {
  warn: "Such a hook runs all the same, once its command was shown; an agent in a terminal asks first.",
  ask: "An agent in a terminal asks before such a hook runs; elsewhere it does not run.",
  require: "Such a hook does not run: settings demand an approval.",
} as const;

export function folderLines(engine: Engine, { columns, home }: ViewOptions, paint: Paint): readonly string[] {
  const { trusted, by } = engine.folder();
  const path = oneLine(engine.projectDir);
  if (trusted === undefined)
    return [
      `Folder ${path}: ${paint("warning", "not decided")}`,
      ...wrapped("An agent in a terminal asks; elsewhere it does not start here.", columns - 2).map((line) => `  ${line}`),
      "  Decide with: carabiner trust approve --folder, or revoke --folder",
    ];
  const word = trusted ? paint("good", "trusted") : paint("bad", "not trusted");
  return [`Folder ${path}: ${word}`, ...wrapped(`why: ${homePath(oneLine(by), home)}`, columns - 2).map((line) => `  ${line}`)];
}
