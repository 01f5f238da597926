/** Turns the registry and plan lines seen so far into those that a line needs before it, so that every file can be read alone. */
import type { JournalLine, PlanRecord, RegistryRecord } from "../protocol/index.ts";

/** More than the engine's plan caches hold, so that what is forgotten here is not in use there. */
const MAX_PLANS = 8192;
const MAX_REGISTRIES = 64;

export interface Definitions {
  readonly remember: (line: JournalLine) => void;
  /** In the order in which they must stand. */
  readonly neededBy: (line: JournalLine) => readonly (RegistryRecord | PlanRecord)[];
}

export function createDefinitions(): Definitions {
  const plans = new Map<string, PlanRecord>();
  const registries = new Map<string, RegistryRecord>();
  const registryOf = (plan: PlanRecord): readonly RegistryRecord[] => used(registries, plan.registry);
  return {
    remember: (line) => {
      if (line.kind === "registry") keep(registries, line.id, line, MAX_REGISTRIES);
      if (line.kind === "plan") keep(plans, line.id, line, MAX_PLANS);
    },
    neededBy: (line) => {
      if (line.kind === "plan") return registryOf(line);
      if (line.kind !== "fired" && line.kind !== "quiet") return [];
      return used(plans, line.plan).flatMap((plan) => [...registryOf(plan), plan]);
    },
  };
}

/** A Map holds its keys in the order in which they were set: the first is the one not used for longest. */
function keep<V>(map: Map<string, V>, id: string, value: V, max: number): void {
  map.delete(id);
  map.set(id, value);
  const oldest = map.keys().next();
  if (map.size > max && !oldest.done) map.delete(oldest.value);
}
function used<V>(map: Map<string, V>, id: string): readonly V[] {
  const value = map.get(id);
  if (value === undefined) return [];
  keep(map, id, value, Number.POSITIVE_INFINITY);
  return [value];
}
