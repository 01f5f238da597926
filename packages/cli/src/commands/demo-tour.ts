/** Turns the text of a `tour.json` into the tour it describes: what is asked, and what must come of it. */
import { EVENT_NAMES, type EventName, isObject, type Json, type JsonObject, STATUSES, type Status } from "@carabiner/engine";

export interface Chapter {
  readonly title: string;
  readonly about: string;
  /** What the user types. */
  readonly prompt: string;
}

/** A firing in the journal. `with`: a text that what the hooks were told must hold. `action`: what came of it, in the outcome's word. */
export interface FiringWish {
  readonly event: EventName;
  readonly with?: string;
  readonly action?: string;
}
/** A hook of that firing. `says`: the kind of its ruling, or a slot of its opinion. `withinMs`: how long its run may have taken. */
export interface HookWish {
  readonly name: string;
  readonly dialect?: string;
  readonly status?: Status;
  readonly says?: string;
  readonly withinMs?: number;
}
/** One thing that must be true afterwards; of several checks all must hold. Paths are relative to the project. */
export interface Expectation {
  readonly that: string;
  readonly firing?: FiringWish;
  /** Of the firing beside it. */
  readonly hook?: HookWish;
  /** A text that an answer of the agent holds, as its transcript has it. */
  readonly answer?: string;
  readonly exists?: string;
  readonly missing?: string;
  /** A text that is in no answer, nor in the history, the transcript or the journal. */
  readonly absent?: string;
  /** A tool that the agent itself refused to call, with no hook asked. */
  readonly refused?: string;
}
export interface Tour {
  readonly title: string;
  readonly about: string;
  readonly chapters: readonly Chapter[];
  readonly expect: readonly Expectation[];
}

/** A key that is none is a mistake: an expectation that checks nothing would always hold. */
export function readTour(text: string): { readonly ok: true; readonly tour: Tour } | { readonly ok: false; readonly why: string } {
  try {
    const parsed: Json = JSON.parse(text);
    const tour = object(parsed, "the file", ["title", "about", "chapters", "expect"]);
    const chapters = list(tour.chapters, "chapters").map(chapter);
    if (chapters.length === 0) throw new BadTour("chapters: expected at least one");
    const expect = list(tour.expect, "expect").map(expectation);
    return { ok: true, tour: { title: words(tour.title, "title"), about: words(tour.about, "about"), chapters, expect } };
  } catch (error) {
    if (error instanceof BadTour || error instanceof SyntaxError) return { ok: false, why: error.message };
    throw error;
  }
}

class BadTour extends Error {}

function chapter(value: Json, at: number): Chapter {
  const path = `chapters[${at}]`;
  const { title, about, prompt } = object(value, path, ["title", "about", "prompt"]);
  return { title: words(title, `${path}.title`), about: words(about, `${path}.about`), prompt: words(prompt, `${path}.prompt`) };
}

const CHECKS = ["firing", "answer", "exists", "missing", "absent", "refused"] as const;
const TEXTS = ["answer", "exists", "missing", "absent", "refused"] as const;

function expectation(value: Json, at: number): Expectation {
  const path = `expect[${at}]`;
  const given = object(value, path, ["that", "hook", ...CHECKS]);
  if (!CHECKS.some((check) => given[check] !== undefined)) throw new BadTour(`${path}: expected one of ${CHECKS.join(", ")}`);
  if (given.hook !== undefined && given.firing === undefined) throw new BadTour(`${path}.hook: expected a firing beside it`);
  return {
    that: words(given.that, `${path}.that`),
    ...(given.firing === undefined ? {} : { firing: firing(given.firing, `${path}.firing`) }),
    ...(given.hook === undefined ? {} : { hook: hook(given.hook, `${path}.hook`) }),
    ...texts(given, path, TEXTS),
  };
}

function firing(value: Json, path: string): FiringWish {
  const given = object(value, path, ["event", "with", "action"]);
  const event = EVENT_NAMES.find((name) => name === given.event);
  if (event === undefined) throw new BadTour(`${path}.event: expected one of ${EVENT_NAMES.join(", ")}`);
  return { event, ...texts(given, path, ["with", "action"]) };
}

function hook(value: Json, path: string): HookWish {
  const given = object(value, path, ["name", "dialect", "status", "says", "withinMs"]);
  const status = STATUSES.find((one) => one === given.status);
  if (given.status !== undefined && status === undefined) throw new BadTour(`${path}.status: expected one of ${STATUSES.join(", ")}`);
  const { withinMs } = given;
  if (withinMs !== undefined && typeof withinMs !== "number") throw new BadTour(`${path}.withinMs: expected a number of milliseconds`);
  return {
    name: words(given.name, `${path}.name`),
    ...texts(given, path, ["dialect", "says"]),
    ...(status === undefined ? {} : { status }),
    ...(withinMs === undefined ? {} : { withinMs }),
  };
}

function object<K extends string>(value: Json | undefined, path: string, keys: readonly K[]): { readonly [P in K]?: Json } {
  if (!isObject(value)) throw new BadTour(`${path}: expected an object`);
  const stray = Object.keys(value).find((key) => !keys.some((known) => known === key));
  if (stray !== undefined) throw new BadTour(`${path}.${stray}: expected one of ${keys.join(", ")}`);
  return value as JsonObject & { readonly [P in K]?: Json };
}
function list(value: Json | undefined, path: string): readonly Json[] {
  if (!Array.isArray(value)) throw new BadTour(`${path}: expected a list`);
  return value;
}
function words(value: Json | undefined, path: string): string {
  if (typeof value !== "string" || value === "") throw new BadTour(`${path}: expected a text`);
  return value;
}
/** Those of the keys that are given. */
function texts<K extends string>(given: { readonly [P in K]?: Json }, path: string, keys: readonly K[]): { readonly [P in K]?: string } {
  const found = keys.flatMap((key) => (given[key] === undefined ? [] : [[key, words(given[key], `${path}.${key}`)] as const]));
  return Object.fromEntries(found) as { readonly [P in K]?: string };
}
