/** Holds what a tour expects against what it left: the journal, the transcript, and the files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Story, type StoryEntry } from "@carabiner/engine";
import { became } from "../views/index.ts";
import type { Played } from "./demo-play.ts";
import type { Stage } from "./demo-stage.ts";
import type { Expectation, FiringWish, HookWish } from "./demo-tour.ts";

export interface Checked {
  readonly that: string;
  readonly holds: boolean;
  /** What is so instead, where it does not hold. */
  readonly found: string | undefined;
  /** The firing it is about, to look closer. */
  readonly firing: string | undefined;
}

/** One verdict an expectation, in order. Reads the journal and the transcript as they lie on disk; throws where they are gone. */
export function check(expectations: readonly Expectation[], played: Played, stage: Stage): readonly Checked[] {
  const stories = played.chapters.flatMap((chapter) => chapter.stories);
  const answers = played.chapters.flatMap((chapter) => chapter.answers);
  const refused = played.chapters.flatMap((chapter) => chapter.refused);
  const places: readonly Place[] = [
    { name: "an answer", text: `${played.shown}\n${answers.join("\n")}` },
    { name: "the history", text: played.history },
    { name: "the transcript", text: readFileSync(played.transcript, "utf8") },
    ...readdirSync(stage.journalDir).map((file) => ({ name: "the journal", text: readFileSync(join(stage.journalDir, file), "utf8") })),
  ];
  return expectations.map((expectation): Checked => {
    const { that, firing, hook, answer, exists, missing, absent } = expectation;
    const looked = firing === undefined ? undefined : lookedFor(stories, firing, hook);
    const holder = absent === undefined ? undefined : places.find(({ text }) => text.includes(absent));
    const found = [
      looked?.found,
      answer === undefined || answers.some((text) => text.includes(answer)) ? undefined : `no answer says ${JSON.stringify(answer)}`,
      exists === undefined || existsSync(join(stage.project, exists)) ? undefined : `${exists} does not exist`,
      missing === undefined || !existsSync(join(stage.project, missing)) ? undefined : `${missing} exists`,
      holder === undefined ? undefined : `it is in ${holder.name}`,
      expectation.refused === undefined || refused.some(({ tool }) => tool === expectation.refused)
        ? undefined
        : `${expectation.refused} was not refused by the agent itself`,
    ].filter((text) => text !== undefined);
    return { that, holds: found.length === 0, found: found.length === 0 ? undefined : found.join("; "), firing: looked?.story?.fired.id };
  });
}

interface Place {
  readonly name: string;
  readonly text: string;
}

/** The first firing that is as wished; else the first that comes near, and what is otherwise there. */
function lookedFor(
  stories: readonly Story[],
  wish: FiringWish,
  hook: HookWish | undefined,
): { readonly story: Story | undefined; readonly found: string | undefined } {
  const near = stories
    .filter(({ event, fired }) => event === wish.event && (wish.with === undefined || textsOf(fired.facts).includes(wish.with)))
    .map((story) => ({ story, found: otherwise(story, wish, hook) }));
  const [first] = near;
  const about = wish.with === undefined ? "" : ` about ${JSON.stringify(wish.with)}`;
  return (
    near.find(({ found }) => found === undefined) ??
    first ?? { story: undefined, found: `there is no ${wish.event} firing${about} in which a hook ran` }
  );
}

function otherwise(story: Story, { action }: FiringWish, hook: HookWish | undefined): string | undefined {
  const differences: string[] = [];
  if (hook !== undefined && !story.entries.some((entry) => isAsWished(entry, hook))) differences.push(whatItDid(story, hook));
  const came = story.fired.outcome["action"];
  if (action !== undefined && came !== action) differences.push(`the outcome is "${String(came)}", not "${action}"`);
  return differences.length === 0 ? undefined : differences.join("; ");
}

function isAsWished(entry: StoryEntry, { name, dialect, status, says, withinMs }: HookWish): boolean {
  const { run } = entry;
  const ruling = run?.opinion["ruling"];
  const saysIt =
    says === undefined || (run !== undefined && (Object.hasOwn(run.opinion, says) || (isObject(ruling) && ruling.kind === says)));
  return (
    entry.name === name &&
    (dialect === undefined || entry.dialect === dialect) &&
    (status === undefined || entry.status === status) &&
    saysIt &&
    (withinMs === undefined || (run !== undefined && run.durationMs <= withinMs))
  );
}

/** Of a hook that is configured twice, the one that ran. */
function whatItDid({ entries, ran, fired }: Story, { name }: HookWish): string {
  const called = ran.filter((entry) => entry.name === name);
  const own = called.length > 0 ? called : entries.filter((entry) => entry.name === name);
  if (own.length === 0) return `there is no hook ${name}`;
  return own.map((entry) => `${name}: ${became(entry, fired.verdict.overruled).words}`).join("; ");
}

/** All texts of a value, one after another, as they are and not as JSON writes them. */
function textsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(textsOf).join("\n") : "";
}
