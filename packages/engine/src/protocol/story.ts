/** Joins a firing's line with its plan and registry lines into one Story: every configured entry, what became of it and why. */
import { EVENTS, type EventName } from "./events.ts";
import type { EntryRecord, FiredRecord, PlanRecord, RegistryRecord, RunRecord, Story, StoryEntry } from "./record.ts";

/** Lines that do not belong together give `undefined`. The list of all entries is made when somebody asks for it: registries may be large. */
export function joined(registry: RegistryRecord, plan: PlanRecord, fired: FiredRecord): Story | undefined {
  if (plan.registry !== registry.id || fired.plan !== plan.id || !isEvent(plan.event) || plan.statuses.length !== registry.entries.length)
    return undefined;
  const runs = new Map(fired.runs.map((run) => [run.entry, run]));
  const told = (entry: EntryRecord, i: number): StoryEntry => {
    const run = runs.get(entry.id);
    const changed = Object.hasOwn(fired.changed, entry.id) ? fired.changed[entry.id] : undefined;
    const status = run?.status ?? changed?.status ?? plan.statuses[i] ?? "notMatched";
    return { ...entry, status, why: changed ? changed.why : plan.why[String(i)], run };
  };
  let entries: readonly StoryEntry[] | undefined;
  return {
    event: plan.event,
    variant: plan.variant,
    subject: plan.subject,
    projectDir: registry.projectDir,
    get entries() {
      entries ??= registry.entries.map(told);
      return entries;
    },
    ran: ranOf(registry.entries, runs, told),
    fired,
  };
}

type Ran = StoryEntry & { readonly run: RunRecord };
/** A loop, since it is done for every firing and few of many entries run. */
function ranOf(
  entries: readonly EntryRecord[],
  runs: ReadonlyMap<string, RunRecord>,
  told: (entry: EntryRecord, i: number) => StoryEntry,
): readonly Ran[] {
  const ran: Ran[] = [];
  for (let i = 0; i < entries.length && ran.length < runs.size; i++) {
    const entry = entries[i];
    const run = entry && runs.get(entry.id);
    if (run) ran.push({ ...told(entry, i), run });
  }
  return ran;
}

const isEvent = (name: string): name is EventName => Object.hasOwn(EVENTS, name);
