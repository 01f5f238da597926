/** Folds reports into one Verdict. The policy belongs to the slot: not to the event, not to the dialect. */
import {
  applied,
  type Change,
  type Context,
  composed,
  type JsonObject,
  type Message,
  type Opinion,
  type Problem,
  plain,
  problem,
  type Report,
  type SlotName,
  type Slots,
  type Step,
  sameJson,
  strength,
  type ToolLimit,
  type Verdict,
} from "../protocol/index.ts";

type Fold<S extends SlotName> = (soFar: Slots[S] | undefined, next: Slots[S]) => Slots[S];
const last = <T>(_soFar: T | undefined, next: T): T => next;

const MODES = ["auto", "any", "none"] as const;
/** NONE wins, then ANY; names are a union. Source: Gemini CLI hooks reference, "BeforeToolSelection". */
function union(soFar: ToolLimit | undefined, next: ToolLimit): ToolLimit {
  const mode = MODES[Math.max(MODES.indexOf(soFar?.mode ?? "auto"), MODES.indexOf(next.mode))] ?? "auto";
  return { mode, allowed: mode === "none" ? [] : [...new Set([...(soFar?.allowed ?? []), ...next.allowed])].sort() };
}

/** One policy a slot; a new slot without one does not compile. Inputs, contexts and messages are kept as lists, in order. */
const FOLDS: { readonly [S in Exclude<SlotName, "input" | "message" | "context">]: Fold<S> } = {
  result: last,
  request: composed,
  response: last,
  toolLimit: union,
  tailCall: last,
  clearContext: last,
  quiet: last,
  withhold: last,
};
type FoldedSlot = keyof typeof FOLDS;
const FOLDED = Object.keys(FOLDS) as readonly FoldedSlot[];
/** What a second voice on the same slot does to the first. */
const BESIDE: { readonly [S in FoldedSlot]: string } = {
  result: "replaces the result given before",
  request: "is laid over the change before",
  response: "replaces the response given before",
  toolLimit: "is joined with the limit before",
  tailCall: "replaces the tail call asked for before",
  clearContext: "says the same as before",
  quiet: "says the same as before",
  withhold: "says the same as before",
};

/** `reports` in configured order, whatever order they finished in; `original`: the arguments of the call that the firing is about, if it is about one. */
export function decide(reports: readonly Report[], original?: JsonObject): Verdict {
  const strongest = Math.max(-1, ...reports.map((report) => strength(report.opinion.ruling)));
  const winners = strongest < 0 ? [] : reports.filter((report) => strength(report.opinion.ruling) === strongest);
  const ruling = winners[0]?.opinion.ruling;
  const reasons = winners.flatMap((report) => report.opinion.ruling?.reason ?? []);
  const inputs = reports.flatMap((report) => (report.opinion.input ? [{ report, change: report.opinion.input }] : []));
  return {
    ruling: ruling && { kind: ruling.kind, reason: reasons.length > 0 ? reasons.join("\n") : undefined },
    because: winners.map((report) => report.entry.id),
    overruled: reports.filter((report) => report.opinion.ruling && !winners.includes(report)).map((report) => report.entry.id),
    withheld: reports.some((report) => report.opinion.ruling?.kind === "deny" || report.opinion.withhold === true),
    slots: Object.fromEntries(FOLDED.flatMap((slot) => folded(slot, reports))),
    inputs: inputs.map(({ report, change }) => ({ entry: report.entry.id, dialect: report.entry.dialect, change })),
    contexts: reports.flatMap(contextOf),
    messages: reports.flatMap(messagesOf),
    steps: steps(reports, strongest),
    problems: collisions(inputs, original ?? {}),
  };
}

function folded<S extends FoldedSlot>(slot: S, reports: readonly Report[]): [S, Slots[S]][] {
  const fold: Fold<S> = FOLDS[slot];
  let value: Slots[S] | undefined;
  for (const { opinion } of reports) {
    const next: Slots[S] | undefined = (opinion as { readonly [K in FoldedSlot]?: Slots[K] })[slot];
    if (next !== undefined) value = fold(value, next);
  }
  return value === undefined ? [] : [[slot, value]];
}

function contextOf({ entry, opinion: { context }, frame, contextLasts }: Report): Context[] {
  return context === undefined ? [] : [{ text: context, framed: frame(context), lasts: contextLasts, entry: entry.id }];
}

/** What people see: the hook's own message, and a warning for whatever went wrong with it. */
function messagesOf({ entry, opinion, problems, quietHidesMessage }: Report): Message[] {
  const hidden = quietHidesMessage && opinion.quiet === true;
  const own: Message[] = opinion.message === undefined || hidden ? [] : [{ text: plain(opinion.message), entry: entry.id, level: "info" }];
  const warnings = problems.filter((found) => found.level !== "note");
  return [
    ...own,
    ...warnings.map(
      (found): Message => ({
        text: `Hook "${plain(entry.name)}" (${entry.wireName}): ${plain(found.what)} ${found.now}`,
        entry: entry.id,
        level: "warning",
      }),
    ),
  ];
}

function steps(reports: readonly Report[], strongest: number): Step[] {
  const spoken = new Set<string>();
  return reports.flatMap(({ entry, opinion }) => {
    const step = (what: Step["what"], did: string): Step => ({ entry: entry.id, what, did });
    const found: Step[] = [];
    if (opinion.ruling) found.push(step("ruling", rulingStep(opinion, strongest)));
    for (const slot of Object.keys(opinion).filter((key): key is SlotName => key !== "ruling")) {
      const again = spoken.has(slot);
      spoken.add(slot);
      found.push(step(slot, slotStep(slot, again)));
    }
    return found;
  });
}
function rulingStep({ ruling }: Opinion, strongest: number): string {
  if (strength(ruling) === strongest) return `says ${ruling?.kind}, and nothing said is stronger`;
  return `says ${ruling?.kind}, and is overruled by something stronger`;
}
function slotStep(slot: SlotName, again: boolean): string {
  if (slot === "message" || slot === "context") return again ? "is joined to what was said before" : "counts";
  if (slot === "input") return again ? "is applied after the change before" : "is applied";
  return again ? BESIDE[slot] : "counts";
}

/** Inside one lane changes compose. Two lanes did not see each other: where they changed the same thing otherwise, say so. */
function collisions(inputs: readonly { readonly report: Report; readonly change: Change }[], original: JsonObject): Problem[] {
  return inputs.flatMap((later, i) =>
    inputs.slice(0, i).flatMap((earlier) => {
      if (later.report.entry.lane === earlier.report.entry.lane) return [];
      const replaced = later.change.how === "whole" && later.report.entry.dialect === earlier.report.entry.dialect;
      const [a, b] = [applied(original, earlier.change), applied(original, later.change)];
      const same = touched(earlier.change, original).filter(
        (key) => touched(later.change, original).includes(key) && !sameJson(own(a, key), own(b, key)),
      );
      if (replaced ? sameJson(a, b) : same.length === 0) return [];
      const { id, name } = later.report.entry;
      return [
        problem(
          "REWRITES_COLLIDE",
          { entry: id },
          { other: earlier.report.entry.id, keys: replaced ? "the whole input" : same.join(", ") },
          name,
        ),
      ];
    }),
  );
}

/** What a change names; of a whole that repeats the rest, only what it sets otherwise or leaves out. */
function touched({ how, value }: Change, original: JsonObject): readonly string[] {
  if (how === "merge") return Object.keys(value);
  return [...new Set([...Object.keys(original), ...Object.keys(value)])].filter((key) => !sameJson(own(original, key), own(value, key)));
}
const own = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
