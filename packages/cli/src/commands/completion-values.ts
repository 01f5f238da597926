/** Knows what may stand in for an argument or an option's value, by the name it has in the commands. */
import { createEngine, DIALECTS, type Engine, type Entry, EVENT_NAMES } from "@carabiner/engine";
import { readJournal } from "@carabiner/engine/journal";
import type { Io } from "../io.ts";
import { oneLine } from "../views/index.ts";
import { journalOptions } from "./log-place.ts";

export interface Offer {
  readonly value: string;
  readonly says: string;
}
type Values = (io: Io) => readonly Offer[];

/** What the words ask for, by the name of the option or argument. The agent is loaded only for what it alone knows. */
export async function valuesFor(words: readonly string[], io: Io): Promise<(name: string) => readonly Offer[] | undefined> {
  const [, wanted] = Object.entries(AGENT_VALUES).find(([name]) => words.some((word) => word.startsWith(`--${name}`))) ?? [];
  const own = await wanted?.(io);
  return (name) => (Object.hasOwn(AGENT_VALUES, name) ? own : Object.hasOwn(VALUES, name) ? VALUES[name]?.(io) : undefined);
}

const AGENT_VALUES: Readonly<Record<string, (io: Io) => Promise<readonly Offer[]>>> = {
  resume: sessionOffers,
  "output-format": async () => (await import("./agent-options.ts")).FORMATS.map((value) => ({ value, says: "" })),
  "approval-mode": async () => Object.values((await import("@carabiner/agent")).MODE_WORDS).map((value) => ({ value, says: "" })),
};

const VALUES: Readonly<Record<string, Values>> = {
  name: (io) => hookNames(io, () => true),
  names: (io) => hookNames(io, ({ scope }) => scope === "project" || scope === "local"),
  "why-not": (io) => hookNames(io, () => true),
  event: (io) => {
    const wire = engineOf(io).dialects.flatMap(({ rows, title }) => Object.keys(rows).map((value) => ({ value, says: title })));
    return wire.length > 0 ? wire : EVENT_NAMES.map((value) => ({ value, says: "" }));
  },
  tool: (io) => engineOf(io).dialects.flatMap(({ tools: { tools }, title }) => tools.map(({ name }) => ({ value: name, says: title }))),
  id: firings,
  dialect: () => DIALECTS.map(({ id, title }) => ({ value: id, says: title })),
};

async function sessionOffers({ cwd, home, env }: Io): Promise<readonly Offer[]> {
  const { listSessions, profileOf } = await import("@carabiner/agent");
  const profile = profileOf(createEngine({ cwd, home, env }).dialects[0]?.id ?? "");
  const sessions = await listSessions(profile.transcriptDir({ cwd, home, env }));
  return [
    { value: "latest", says: "the last session" },
    ...sessions.slice(0, 20).map(({ id, firstPrompt }) => ({ value: id, says: firstPrompt })),
  ];
}

/** Only plain words: what a project calls its hooks is put on somebody's command line, and shells read it again there. */
export const plainOffers = (offers: readonly Offer[]): readonly Offer[] =>
  offers
    .filter(({ value }) => /^[\p{L}\p{M}\p{N}._@/+][\p{L}\p{M}\p{N}._@/:+=,-]*$/u.test(value))
    .map(({ value, says }) => ({ value, says: oneLine(says) }));

const engineOf = ({ cwd, home, env }: Io): Engine => createEngine({ cwd, home, env });

function hookNames(io: Io, wanted: (entry: Entry) => boolean): readonly Offer[] {
  return engineOf(io)
    .hooks()
    .filter(wanted)
    .map(({ name, wireName, barred }) => ({ value: name, says: barred === undefined ? wireName : `${wireName}, ${barred.status}` }));
}

function firings(io: Io): readonly Offer[] {
  const { stories } = readJournal(journalOptions(engineOf(io)).dir, { last: 10 });
  return [{ value: "last", says: "the last firing" }, ...stories.map(({ fired, event }) => ({ value: fired.id, says: event }))];
}
