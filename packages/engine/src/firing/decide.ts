/** Folds reports into one Verdict. The policy belongs to the slot: not to the event, not to the dialect. */
import {
  applied,
  type Change,
  type Context,
  type JsonObject,
  type Message,
  type Opinion,
  type Original,
  plain,
  type Report,
  type RulingKind,
  type SlotName,
  type Slots,
  type Step,
  sameJson,
  strength,
  type Verdict,
} from "../protocol/index.ts";
import { inputCollisions } from "./collide.ts";
import { FOLDS, type Folded, type Voice } from "./fold.ts";

type FoldedSlot = keyof typeof FOLDS;
const FOLDED = Object.keys(FOLDS) as readonly FoldedSlot[];

/** Slots that do not count beside what was ruled, and why. `passing`: context that lasts for this turn only. */
export type Lost = { readonly [S in Exclude<SlotName, "message"> | "passing"]?: string };
/** What a ruling leaves of the slots belongs to the event. */
export interface Ruled {
  readonly kind: RulingKind | undefined;
  readonly withheld: boolean;
  readonly says: (slot: SlotName) => boolean;
}
export interface Deciding {
  /** What hooks were shown and could change: their changes are measured against it. */
  readonly original?: Original;
  /** Absent: everything counts. */
  readonly lost?: (ruled: Ruled) => Lost;
}

/** `reports` in configured order, whatever order they finished in. */
export function decide(reports: readonly Report[], { original = {}, lost = () => ({}) }: Deciding = {}): Verdict {
  const strongest = Math.max(-1, ...reports.map((report) => strength(report.opinion.ruling)));
  const winners = strongest < 0 ? [] : reports.filter((report) => strength(report.opinion.ruling) === strongest);
  const ruling = winners[0]?.opinion.ruling;
  const reasons = winners.flatMap((report) => report.opinion.ruling?.reason ?? []);
  const withheld = reports.some((report) => report.opinion.ruling?.kind === "deny" || report.opinion.withhold === true);
  const gone = lost({ kind: ruling?.kind, withheld, says: (slot) => reports.some(({ opinion }) => opinion[slot] !== undefined) });
  const inputs = reports.flatMap((report) => (report.opinion.input ? [{ report, change: report.opinion.input }] : []));
  const folds = FOLDED.flatMap((slot) => folded(slot, reports, original));
  const problems = folds.flatMap(([slot, { problems: found }]) => (gone[slot] === undefined ? found : []));
  return {
    ruling: ruling && { kind: ruling.kind, reason: reasons.length > 0 ? reasons.join("\n") : undefined },
    because: winners.map((report) => report.entry.id),
    overruled: reports.filter((report) => report.opinion.ruling && !winners.includes(report)).map((report) => report.entry.id),
    withheld,
    slots: Object.fromEntries(folds.map(([slot, { value }]) => [slot, value])),
    inputs: inputs.map(({ report, change }) => ({ entry: report.entry.id, dialect: report.entry.dialect, change })),
    contexts: reports.flatMap(contextOf),
    messages: reports.flatMap(messagesOf),
    steps: steps(reports, strongest, { folds: new Map(folds), gone, inputs: inputSteps(inputs, original.input ?? {}) }),
    problems: [...(gone.input === undefined ? inputCollisions(inputs, original.input ?? {}) : []), ...problems],
  };
}

type Told = readonly [FoldedSlot, Folded<unknown>];
function folded<S extends FoldedSlot>(slot: S, reports: readonly Report[], original: Original): readonly Told[] {
  const voices = reports.flatMap(({ entry, opinion }): Voice<Slots[S]>[] => {
    const value: Slots[S] | undefined = (opinion as { readonly [K in FoldedSlot]?: Slots[K] })[slot];
    return value === undefined ? [] : [{ entry, value }];
  });
  const fold: (voices: readonly Voice<Slots[S]>[], original: Original) => Folded<Slots[S]> = FOLDS[slot];
  return voices.length === 0 ? [] : [[slot, fold(voices, original)]];
}

function contextOf({ entry, opinion: { context }, frame, contextLasts }: Report): Context[] {
  return context === undefined ? [] : [{ text: context, framed: frame(context), lasts: contextLasts, entry: entry.id }];
}

const hidesMessage = ({ opinion, quietHidesMessage }: Report): boolean => quietHidesMessage && opinion.quiet === true;
/** What people see: the hook's own message, and a warning for whatever went wrong with it. */
function messagesOf(report: Report): Message[] {
  const { entry, opinion, problems } = report;
  const own: Message[] =
    opinion.message === undefined || hidesMessage(report) ? [] : [{ text: plain(opinion.message), entry: entry.id, level: "info" }];
  const warnings = problems.filter((found) => found.level !== "note");
  return [
    ...own,
    ...warnings.map(
      (found): Message => ({
        text: `Hook "${plain(entry.name)}" (${entry.wireName}): ${[plain(found.what), found.now, found.todo].filter((part) => part !== undefined).join(" ")}`,
        entry: entry.id,
        level: "warning",
      }),
    ),
  ];
}

interface Merged {
  readonly folds: ReadonlyMap<FoldedSlot, Folded<unknown>>;
  readonly gone: Lost;
  readonly inputs: readonly string[];
}
function steps(reports: readonly Report[], strongest: number, { folds, gone, inputs }: Merged): Step[] {
  const spoken = new Map<SlotName, number>();
  return reports.flatMap((report) => {
    const { entry, opinion, contextLasts } = report;
    const found: Step[] = opinion.ruling ? [{ entry: entry.id, what: "ruling", did: rulingStep(opinion, strongest) }] : [];
    for (const slot of Object.keys(opinion).filter((key): key is SlotName => key !== "ruling")) {
      const before = spoken.get(slot) ?? 0;
      spoken.set(slot, before + 1);
      const why = slot === "message" ? undefined : gone[slot === "context" && contextLasts === "turn" ? "passing" : slot];
      const did = slot === "input" ? inputs[before] : isFolded(slot) ? folds.get(slot)?.did[before] : textStep(slot, report, before > 0);
      found.push({ entry: entry.id, what: slot, did: why === undefined ? (did ?? "counts") : `does not count: ${why}` });
    }
    return found;
  });
}
const isFolded = (slot: SlotName): slot is FoldedSlot => Object.hasOwn(FOLDS, slot);
function rulingStep({ ruling }: Opinion, strongest: number): string {
  if (strength(ruling) === strongest) return `says ${ruling?.kind}, and nothing said is stronger`;
  return `says ${ruling?.kind}, and is overruled by something stronger`;
}
function textStep(slot: SlotName, report: Report, again: boolean): string {
  if (slot === "message" && hidesMessage(report)) return "is not shown, as the hook itself asks";
  return again ? "is joined to what was said before" : "counts";
}

/** In a dialect that replaces the whole input, what a hook beside it changed is gone. */
function inputSteps(inputs: readonly { readonly report: Report; readonly change: Change }[], original: JsonObject): readonly string[] {
  return inputs.map(({ report: { entry }, change }, i) => {
    const over = inputs
      .slice(i + 1)
      .findLast(
        ({ report, change: later }) =>
          later.how === "whole" &&
          report.entry.dialect === entry.dialect &&
          report.entry.lane !== entry.lane &&
          !sameJson(applied(original, change), applied(original, later)),
      );
    if (over) return `is replaced by the whole input of ${over.report.entry.id}`;
    return i === 0 ? "is applied" : "is applied after the change before";
  });
}
