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
    ran: registry.entries.flatMap((entry, i): (StoryEntry & { readonly run: RunRecord })[] => {
      const run = runs.get(entry.id);
      return run ? [{ ...told(entry, i), run }] : [];
    }),
    fired,
  };
}

const isEvent = (name: string): name is EventName => Object.hasOwn(EVENTS, name);
