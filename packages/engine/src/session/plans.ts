/** The cache of plans of one registry: built once per (event, variant, subject), shared by every firing, bounded, since models invent tool names. */
import type { Dialect } from "../dialects/index.ts";
import { type Happening, plan, planRecord, subjectOf, subjectsOf, toolOf, variantOf } from "../firing/index.ts";
import {
  type Entry,
  EVENT_NAMES,
  type EventName,
  type Facts,
  type McpOrigin,
  type Outcome,
  type Plan,
  type PlanRecord,
  type Registry,
  type Translator,
} from "../protocol/index.ts";

const MAX_PLANS_PER_EVENT = 512;

/** A plan with what is worth keeping beside it. */
export interface Planned {
  readonly plan: Plan;
  readonly line: PlanRecord;
  /** What every firing of this plan resolves to, where nothing runs. Made at the first one. */
  quiet: Promise<Outcome<EventName>> | undefined;
  /** Has its line been told? */
  told: boolean;
}
export interface Plans {
  readonly of: (event: EventName, facts: Facts[EventName]) => Planned;
  /** The lines of plans that have been told. */
  readonly told: () => readonly PlanRecord[];
  /** Could any entry ever run on this event? */
  readonly listens: (event: EventName) => boolean;
}

export interface PlanningWorld {
  readonly registry: Registry;
  readonly registryId: string;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly translate: (dialect: Dialect) => Translator;
  /** May this entry run without looking at trust again? */
  readonly mayRunNow: (entry: Entry) => boolean;
}

export function createPlans(world: PlanningWorld): Plans {
  const plain = new Map<EventName, Map<string, Planned>>();
  const ofServers = new Map<EventName, Map<string, Planned>>();
  const live = new Set(
    EVENT_NAMES.filter((event) => world.registry.entries.some((entry) => !entry.barred && eventOf(entry, world.dialects) === event)),
  );
  let count = 0;
  return {
    listens: (event) => live.has(event),
    told: () =>
      [...plain.values(), ...ofServers.values()].flatMap((ofEvent) =>
        [...ofEvent.values()].flatMap(({ told, line }) => (told ? [line] : [])),
      ),
    of: (event, facts) => {
      const happening = happeningOf(world, event, facts);
      const mcp = toolOf(event, facts)?.mcp;
      const key = keyOf(happening, mcp);
      // A map of their own: a model may invent a plain name that looks like the key of an MCP tool.
      const known = mcp ? ofServers : plain;
      const ofEvent = known.get(event) ?? new Map<string, Planned>();
      known.set(event, ofEvent);
      const before = ofEvent.get(key);
      if (before) return before;
      if (ofEvent.size >= MAX_PLANS_PER_EVENT) ofEvent.clear();
      const made = plan(world.registry, world.dialects, happening, `${world.registryId}.${++count}`, world.mayRunNow);
      const planned: Planned = { plan: made, line: planRecord(made, world.registryId), quiet: undefined, told: false };
      ofEvent.set(key, planned);
      return planned;
    },
  };
}

function eventOf(entry: Entry, dialects: ReadonlyMap<string, Dialect>): string | undefined {
  return entry.dialect === undefined ? entry.wireName : dialects.get(entry.dialect)?.rows[entry.wireName]?.on;
}

function happeningOf(world: PlanningWorld, event: EventName, facts: Facts[EventName]): Happening {
  return {
    event,
    variant: variantOf(event, facts),
    subject: subjectOf(event, facts),
    subjects: (dialect, row) => subjectsOf(row, event, facts, world.translate(dialect)),
  };
}

/** An MCP tool is known by its origin: two hosts may give two tools one name. */
function keyOf({ variant, subject = "" }: Happening, mcp: McpOrigin | undefined): string {
  const name = mcp ? JSON.stringify([subject, mcp.server, mcp.tool]) : subject;
  return variant === undefined ? name : `${variant}\0${name}`;
}
