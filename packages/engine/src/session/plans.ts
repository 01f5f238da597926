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

/** Plans of one event, or of one tool of an MCP server: by variant, then by subject. */
type Shelf = Map<string | undefined, Map<string | undefined, Planned>>;
interface OfEvent {
  readonly plain: Shelf;
  /** By server, then by tool: a model may invent a plain name that looks like an MCP tool's. */
  readonly servers: Map<string, Map<string, Shelf>>;
  size: number;
}

export function createPlans(world: PlanningWorld): Plans {
  const known = new Map<EventName, OfEvent>();
  const live = new Set(
    EVENT_NAMES.filter((event) => world.registry.entries.some((entry) => !entry.barred && eventOf(entry, world.dialects) === event)),
  );
  let count = 0;
  return {
    listens: (event) => live.has(event),
    told: () => [...known.values()].flatMap(plannedOf).flatMap(({ told, line }) => (told ? [line] : [])),
    // What most firings do, and all they do: nothing is made before it is known that this plan is new.
    of: (event, facts) => {
      const variant = variantOf(event, facts);
      const subject = subjectOf(event, facts);
      const mcp = toolOf(event, facts)?.mcp;
      const ofEvent = madeIn(known, event, noPlans);
      const before = shelfOf(ofEvent, mcp).get(variant)?.get(subject);
      if (before) return before;
      if (ofEvent.size >= MAX_PLANS_PER_EVENT) known.set(event, noPlans());
      const room = madeIn(known, event, noPlans);
      const made = plan(
        world.registry,
        world.dialects,
        happeningOf(world, event, variant, subject, facts),
        `${world.registryId}.${++count}`,
        world.mayRunNow,
      );
      const planned: Planned = { plan: made, line: planRecord(made, world.registryId), quiet: undefined, told: false };
      madeIn(shelfOf(room, mcp), variant, emptyMap<string | undefined, Planned>).set(subject, planned);
      room.size++;
      return planned;
    },
  };
}

const noPlans = (): OfEvent => ({ plain: new Map(), servers: new Map(), size: 0 });
const emptyMap = <K, V>(): Map<K, V> => new Map();
function madeIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** An MCP tool is known by its origin: two hosts may give two tools one name. */
function shelfOf({ plain, servers }: OfEvent, mcp: McpOrigin | undefined): Shelf {
  return mcp
    ? madeIn(madeIn(servers, mcp.server, emptyMap<string, Shelf>), mcp.tool, emptyMap<string | undefined, Map<string | undefined, Planned>>)
    : plain;
}
function plannedOf({ plain, servers }: OfEvent): readonly Planned[] {
  const shelves = [plain, ...[...servers.values()].flatMap((tools) => [...tools.values()])];
  return shelves.flatMap((shelf) => [...shelf.values()].flatMap((bySubject) => [...bySubject.values()]));
}

function eventOf(entry: Entry, dialects: ReadonlyMap<string, Dialect>): string | undefined {
  return entry.dialect === undefined ? entry.wireName : dialects.get(entry.dialect)?.rows[entry.wireName]?.on;
}

function happeningOf(
  world: PlanningWorld,
  event: EventName,
  variant: string | undefined,
  subject: string | undefined,
  facts: Facts[EventName],
): Happening {
  return { event, variant, subject, subjects: (dialect, row) => subjectsOf(row, event, facts, world.translate(dialect)) };
}
