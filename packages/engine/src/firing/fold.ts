/** Folds what several hooks say on one slot into one value, and tells what became of each of them. */
import {
  composed,
  type Entry,
  type Json,
  type ModelResponse,
  type Original,
  type Problem,
  type RequestPatch,
  read,
  type SlotName,
  type Slots,
  sameJson,
  type ToolLimit,
} from "../protocol/index.ts";
import { collisionsOf, type Disagreement, disagreements, type Laid, leaves } from "./collide.ts";

export interface Voice<T> {
  readonly entry: Entry;
  readonly value: T;
}
export interface Folded<T> {
  readonly value: T;
  /** What became of each voice, in their order. */
  readonly did: readonly string[];
  /** Hooks that did not see each other and disagree. */
  readonly problems: readonly Problem[];
}
/** At least one voice, in configured order. */
type Fold<T> = (voices: readonly Voice<T>[], original: Original) => Folded<T>;

/** One policy a slot; a new slot without one does not compile. Inputs, contexts and messages are kept as lists, in order. */
export const FOLDS: { readonly [S in Exclude<SlotName, "input" | "message" | "context">]: Fold<Slots[S]> } = {
  result: (voices, { result }) => theLast("result", voices, (value) => result !== undefined && sameJson(value, result)),
  request: requests,
  response: responses,
  toolLimit: limits,
  tailCall: (voices) => theLast("tail call", voices, () => false),
  clearContext: anybody,
  quiet: anybody,
  withhold: anybody,
};

const FIRST = "counts";
const AGAIN = "says the same as before";

function anybody(voices: readonly Voice<true>[]): Folded<true> {
  return { value: true, did: voices.map((_, i) => (i === 0 ? FIRST : AGAIN)), problems: [] };
}

const MODES = ["auto", "any", "none"] as const;
/** NONE wins, then ANY; names are a union. Source: Gemini CLI hooks reference, "BeforeToolSelection". */
function limits(voices: readonly Voice<ToolLimit>[]): Folded<ToolLimit> {
  const mode = MODES[Math.max(...voices.map(({ value }) => MODES.indexOf(value.mode)))] ?? "auto";
  const forbids = voices.find(({ value }) => value.mode === "none");
  const allowed = forbids ? [] : [...new Set(voices.flatMap(({ value }) => value.allowed))].sort();
  const did = voices.map(({ value }, i) => {
    if (forbids && value.mode !== "none") return `gives way: ${forbids.entry.id} allows no tool`;
    return i === 0 ? FIRST : "is joined with the limit before";
  });
  return { value: { mode, allowed }, did, problems: [] };
}

/** The last one counts. One that repeats what it was shown has changed nothing, and takes nobody's change away. */
function theLast<T extends Json | object>(what: string, voices: readonly Voice<T>[], unchanged: (value: T) => boolean): Folded<T> {
  const nets = netOf(voices);
  const changing = nets.filter(({ value }) => !unchanged(value));
  const winner = (changing.length > 0 ? changing : nets).at(-1) as Voice<T>;
  const did = voices.map((voice, i) => {
    if (voice === winner) return i === 0 ? FIRST : `replaces the ${what} given before`;
    if (!nets.includes(voice)) return "is replaced by a later hook of its group";
    if (sameJson(voice.value as Json, winner.value as Json)) return i === 0 ? FIRST : AGAIN;
    if (!changing.includes(voice)) return `changes nothing, and leaves the ${what} to ${winner.entry.id}`;
    return `is replaced by the ${what} of ${winner.entry.id}`;
  });
  const laid = changing.map((voice): Laid => new Map([[`the ${what}`, { entry: voice.entry, value: voice.value as Json }]]));
  return { value: winner.value, did, problems: collisionsOf(disagreements(laid)) };
}

/** What each lane comes to: its last word. Inside a lane everybody has seen what the one before said. */
function netOf<T>(voices: readonly Voice<T>[]): readonly Voice<T>[] {
  return voices.filter(({ entry }, i) => !voices.slice(i + 1).some((later) => later.entry.lane === entry.lane));
}

/**
 * Changes inside a lane build on each other; those of different lanes compose by what each changed. Messages past those that were shown are additions,
 * and all of them are kept, in order. Source: the Gemini contract, "Several hooks on one firing"; positions: the study of Gemini CLI, LLM-8.
 */
function requests(voices: readonly Voice<RequestPatch>[], original: Original): Folded<RequestPatch> {
  const [only] = voices;
  if (only && voices.length === 1) return { value: only.value, did: [FIRST], problems: [] };
  const count = original.request ? read(original.request).messages.length : Number.POSITIVE_INFINITY;
  const lanes = lanesOf(voices).map((lane) => ({ patch: netPatch(lane, count), laid: laidBy(lane, count) }));
  let value: RequestPatch = {};
  let length = count;
  for (const { patch } of lanes)
    value = composed(
      value,
      moved(patch, (at) => (at < count ? at : length++)),
    );
  const met = disagreements(lanes.map(({ laid }) => laid));
  const did = voices.map(({ entry }, i) => excepted(i === 0 ? FIRST : "is laid over the change before", entry, met));
  return { value, did, problems: collisionsOf(met) };
}
function lanesOf<T>(voices: readonly Voice<T>[]): readonly (readonly Voice<T>[])[] {
  const lanes = new Map<number, Voice<T>[]>();
  for (const voice of voices) lanes.set(voice.entry.lane, [...(lanes.get(voice.entry.lane) ?? []), voice]);
  return [...lanes.values()];
}
/** Positions past the end mean the end, as it is for the hook that names them. */
function netPatch(lane: readonly Voice<RequestPatch>[], count: number): RequestPatch {
  let length = count;
  const placed = (at: number): number => (at < length ? at : length++);
  return lane.reduce<RequestPatch>((soFar, { value }) => composed(soFar, moved(value, placed)), {});
}
/** The patch with its messages where `place` puts them. */
const moved = (patch: RequestPatch, place: (at: number) => number): RequestPatch =>
  patch.messages ? { ...patch, messages: patch.messages.map((message) => ({ ...message, at: place(message.at) })) } : patch;
/** Everything one lane sets that another may set too, and by whom. What was added to a request is nobody else's. */
function laidBy(lane: readonly Voice<RequestPatch>[], count: number): Laid {
  const laid = new Map<string, { readonly entry: Entry; readonly value: Json }>();
  for (const { entry, value } of lane) {
    if (value.model !== undefined) laid.set("model", { entry, value: value.model });
    for (const [path, leaf] of leaves(value.config ?? {}, "config")) laid.set(path, { entry, value: leaf });
    for (const { at, role, content } of value.messages ?? [])
      if (at < count) laid.set(`messages[${at}]`, { entry, value: { role, content } });
  }
  return laid;
}

/** Where a chunk was shown, what each lane changed of it composes; an answer out of nothing is the last one's. */
function responses(voices: readonly Voice<ModelResponse>[], original: Original): Folded<ModelResponse> {
  const nets = netOf(voices);
  const before = original.response ? read(original.response) : undefined;
  const changing = before ? nets.filter(({ value }) => differs(value, before)) : nets;
  if (!before || changing.length < 2) return theLast("response", voices, (value) => before !== undefined && !differs(value, before));
  const alike = changing.every(({ value }) => value.parts.length === before.parts.length);
  const laid = changing.map(({ entry, value }): Laid => {
    const parts: [string, Json][] = alike
      ? value.parts.flatMap((part, i): [string, Json][] => (part === before.parts[i] ? [] : [[`response.parts[${i}]`, part]]))
      : sameJson(value.parts, before.parts)
        ? []
        : [["response.parts", value.parts]];
    const finish: [string, Json][] = finishes(value, before) ? [["response.finishReason", value.finishReason ?? null]] : [];
    return new Map([...parts, ...finish].map(([path, set]) => [path, { entry, value: set }]));
  });
  const met = disagreements(laid);
  const last = changing.at(-1)?.value;
  const finishReason = changing.findLast(({ value }) => finishes(value, before))?.value.finishReason ?? last?.finishReason;
  const parts = alike
    ? before.parts.map((part, i) => changing.findLast(({ value }) => value.parts[i] !== part)?.value.parts[i] ?? part)
    : (changing.findLast(({ value }) => !sameJson(value.parts, before.parts))?.value.parts ?? before.parts);
  const did = voices.map((voice, i) => {
    if (!nets.includes(voice)) return "is replaced by a later hook of its group";
    if (!changing.includes(voice)) return "changes nothing, and leaves the response to the others";
    return excepted(i === 0 ? FIRST : "is laid over the response given before", voice.entry, met);
  });
  return {
    value: { parts, ...(finishReason === undefined ? {} : { finishReason }), ...(last?.usage ? { usage: last.usage } : {}) },
    did,
    problems: collisionsOf(met),
  };
}
const finishes = (value: ModelResponse, before: ModelResponse): boolean =>
  value.finishReason !== undefined && value.finishReason !== before.finishReason;
const differs = (value: ModelResponse, before: ModelResponse): boolean => !sameJson(value.parts, before.parts) || finishes(value, before);

/** What became of a change some of which another one took over. */
function excepted(did: string, entry: Entry, met: readonly Disagreement[]): string {
  const lost = met.filter(({ earlier }) => earlier.id === entry.id);
  return lost.length === 0 ? did : `${did}, except for ${lost.map(({ keys, later }) => `${keys.join(", ")} (${later.id})`).join("; ")}`;
}
