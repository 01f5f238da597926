/** Joins a firing's line with its plan and registry lines into one Story: every configured entry, what became of it and why. */
import type { EventName } from "./events.ts";
import { EVENTS } from "./events.ts";
import type { FiredRecord, PlanRecord, RegistryRecord, Story } from "./record.ts";

/** Lines that do not belong together give `undefined`. */
export function joined(registry: RegistryRecord, plan: PlanRecord, fired: FiredRecord): Story | undefined {
  if (plan.registry !== registry.id || fired.plan !== plan.id || !isEvent(plan.event) || plan.statuses.length !== registry.entries.length)
    return undefined;
  const runs = new Map(fired.runs.map((run) => [run.entry, run]));
  return {
    event: plan.event,
    variant: plan.variant,
    subject: plan.subject,
    projectDir: registry.projectDir,
    entries: registry.entries.map((entry, i) => {
      const run = runs.get(entry.id);
      const changed = Object.hasOwn(fired.changed, entry.id) ? fired.changed[entry.id] : undefined;
      const planned = plan.statuses[i] ?? "notMatched";
      const status = run?.status ?? changed?.status ?? planned;
      return { ...entry, status, why: changed ? changed.why : plan.why[String(i)], run };
    }),
    fired,
  };
}

const isEvent = (name: string): name is EventName => Object.hasOwn(EVENTS, name);
