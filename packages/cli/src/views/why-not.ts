/** Answers one question in one paragraph: why did this hook not run, or not decide? */
import { closest, STATUS_MEANING, type Status, type Story, type StoryEntry, statusClass } from "@carabiner/engine";
import { became, NO_OPINION } from "./became.ts";
import { oneLine, wrapped } from "./fit.ts";
import { isForEvent, momentText, whyText } from "./moment.ts";
import { originOf } from "./origin.ts";
import { actionOf } from "./outcome.ts";
import { problemBody } from "./problems.ts";
import type { ViewOptions } from "./view-options.ts";

export type WhyNot = { readonly known: true; readonly text: string } | { readonly known: false; readonly text: string };

/** `name`: a hook's name, its id, or a part of its name. A paragraph for each hook that fits; where none does, what there is instead. */
export function whyNot(story: Story, name: string, { columns, home }: ViewOptions): WhyNot {
  const width = Math.min(columns, 100);
  const found = named(story.entries, name);
  if (found.length === 0) return { known: false, text: `${wrapped(unknown(story, name), width).join("\n")}\n` };
  const paragraphs = found.map((entry) => wrapped(paragraph(story, entry, home), width).join("\n"));
  return { known: true, text: `${paragraphs.join("\n\n")}\n` };
}

function named(entries: readonly StoryEntry[], name: string): readonly StoryEntry[] {
  const exact = entries.filter((entry) => entry.name === name || entry.id === name);
  if (exact.length > 0) return exact;
  const lower = name.trim().toLowerCase();
  return lower === "" ? [] : entries.filter((entry) => entry.name.toLowerCase().includes(lower));
}

function unknown({ entries }: Story, name: string): string {
  if (entries.length === 0) return `There is no hook "${oneLine(name)}": no hooks are configured.`;
  const names = [...new Set(entries.map((entry) => oneLine(entry.name)))];
  const meant = closest(name, names);
  return `There is no hook "${oneLine(name)}". ${meant === undefined ? "" : `Did you mean "${meant}"? `}The hooks are: ${names.join(", ")}.`;
}

function paragraph(story: Story, entry: StoryEntry, home: string): string {
  const head = `"${oneLine(entry.name)}", from ${originOf(entry, { projectDir: story.projectDir, home })},`;
  const moment = momentText(story);
  switch (statusClass(entry.status)) {
    case "skipped":
      return `${head} did not run at ${moment}: ${reasonText(story, entry, home)}. ${TODO[entry.status]?.(oneLine(entry.name)) ?? ""}`.trim();
    case "failed":
      return `${head} ran at ${moment} and decided nothing, because it failed: ${words(story, entry).replace(/^failed: /, "")}. ${told(entry)}`.trim();
    case "ran":
      return `${head} ${ranText(story, entry, moment)}`;
  }
}

function reasonText(story: Story, entry: StoryEntry, home: string): string {
  const { status, why } = entry;
  if (!isForEvent(entry, story.event)) return `it is configured for ${oneLine(entry.wireName)}, which is another event`;
  if (why === undefined) return STATUS_MEANING[status];
  const told = whyText(story, entry, home);
  return NEEDS_MEANING.has(status) ? `${STATUS_MEANING[status]}: ${told}` : told;
}

/** Of these the record says where it was decided, and not what. */
const NEEDS_MEANING: ReadonlySet<Status> = new Set<Status>(["disabled", "broken"]);

function ranText(story: Story, entry: StoryEntry, moment: string): string {
  const { because, overruled } = story.fired.verdict;
  const { run } = entry;
  if (entry.status === "left" || !run) return `was still running when ${moment} went on without it, so it decided nothing.`;
  if (because.includes(entry.id))
    return `ran at ${moment}, and it decided: it ${words(story, entry)}. The outcome: ${actionOf(story).word}.`;
  const winners = story.entries.filter(({ id }) => because.includes(id)).map(({ name }) => oneLine(name));
  if (overruled.includes(entry.id)) {
    const said = became(entry, []).words;
    const winner = story.fired.verdict.ruling;
    return `ran at ${moment} and ${said}, but ${winners.join(", ")} said something stronger (${winner?.kind ?? ""}). The order is: ${ORDER}.`;
  }
  const said = became(entry, []).words;
  if (said !== NO_OPINION) return `ran at ${moment}: it ${said}, but it neither allows, denies nor stops anything. ${told(entry)}`.trim();
  return `ran at ${moment} and decided nothing: ${NOTHING_SAID[run.readAs] ?? "it gave no opinion"}. ${told(entry)}`.trim();
}
const ORDER = "ending the session or the turn beats deny, deny beats ask, ask beats allow";

/** What an answer without an opinion was, as something a hook's author can look at. */
const NOTHING_SAID: Readonly<Record<string, string>> = {
  nothing: "it exited with code 0 and printed nothing on stdout, which means that it has no opinion",
  object: "the JSON object it printed holds no field that decides something here",
  text: "it printed plain text, which decides nothing here",
  otherJson: "it printed JSON that is no object",
};

const words = (story: Story, entry: StoryEntry): string => became(entry, story.fired.verdict.overruled).words;
const told = ({ run }: StoryEntry): string => (run?.problems ?? []).map(problemBody).join(" ");

/** What lets a hook with this status run. */
const TODO: { readonly [S in Status]?: (name: string) => string } = {
  disabled: (name) => `To switch it on: carabiner hooks enable ${JSON.stringify(name)}.`,
  untrusted: () => "To trust the folder: carabiner trust approve --folder.",
  unapproved: () => "Read it, then approve it: carabiner trust approve.",
  broken: () => "Correct its definition: carabiner doctor says what is wrong with it.",
  badMatcher: () => "Correct its matcher: carabiner doctor says what is wrong with it.",
};
