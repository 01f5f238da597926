/** Tells how several answers became one: the merge step by step, who decided, and who was overruled. */
import { isObject, type RulingKind, type Story, type StoryEntry } from "@carabiner/engine";
import { RULING_WORDS, rulingOf, SLOT_NAMES } from "./became.ts";
import { hanging } from "./fit.ts";
import { numberedNames } from "./moment.ts";

export function decisionLines(story: Story, columns: number): readonly string[] {
  const { overruled, steps } = story.fired.verdict;
  const nameOf = numberedNames(story.entries);
  const line = (text: string): readonly string[] => hanging(text, columns, "  ", "    ");
  return [
    ...steps.flatMap(({ entry, what, did }) => line(`${nameOf(entry)}: its ${SLOT_NAMES[what] ?? what} ${inWords(did)}.`)),
    ...line(conclusion(story, nameOf)),
    ...overruled.flatMap((id) => line(`Overruled: ${nameOf(id)}, which ${saidBy(story, id)}.`)),
  ];
}

function conclusion({ ran, fired }: Story, nameOf: (id: string) => string): string {
  const { ruling, because, steps } = fired.verdict;
  if (ran.length === 0) return "No hook was called, so everything goes on as it would without hooks.";
  if (!ruling) return steps.length === 0 ? "No hook had an opinion." : "No hook denied or stopped anything.";
  return `The strongest answer counts: ${RULING_NAMES[ruling.kind]}, from ${because.map(nameOf).join(" and ")}.`;
}
const RULING_NAMES: Readonly<Record<RulingKind, string>> = {
  allow: "allow",
  ask: "ask the user",
  deny: "deny",
  endTurn: "stop the agent",
  endSession: "end the session",
};

function saidBy({ entries }: Story, id: string): string {
  const kind = rulingOf(opinionOf(entries.find((entry) => entry.id === id)));
  return kind === undefined ? "decided otherwise" : RULING_WORDS[kind];
}
const opinionOf = (entry: StoryEntry | undefined) => (entry?.run && isObject(entry.run.opinion) ? entry.run.opinion : {});

/** The record's words for two of the rulings are not words people say. */
const inWords = (did: string): string =>
  did.replace(/\bendTurn\b/g, RULING_NAMES.endTurn).replace(/\bendSession\b/g, RULING_NAMES.endSession);
