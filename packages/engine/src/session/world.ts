/** What an engine's sessions share: the current settings and everything derived from them, the counters, and where to tell things. */
import type { Dialect } from "../dialects/index.ts";
import type { Refusal } from "../firing/index.ts";
import type { Entry, EventName, Facts, Registry, RegistryRecord, Translator } from "../protocol/index.ts";
import type { WouldRun } from "../trust/index.ts";
import type { EngineEvent } from "./options.ts";
import type { Plans } from "./plans.ts";
import type { RunningWorld } from "./run-hook.ts";
import type { Tallies } from "./tallies.ts";

export interface Limits {
  readonly maxStdoutBytes: number;
  readonly killGraceMs: number;
  readonly drainMs: number;
  readonly maxRetries: number;
  readonly maxTailCalls: number;
}

/** Everything that follows from one generation of settings and registered functions. */
export interface Current {
  readonly registry: Registry;
  /** Made when somebody needs it. */
  readonly line: RegistryRecord;
  /** Has the registry's line been told? */
  told: boolean;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly translate: (dialect: Dialect) => Translator;
  readonly plans: Plans;
  readonly running: RunningWorld;
  readonly limits: Limits;
  /** Project hooks that may not run now, and why; the user may be asked meanwhile. */
  readonly gate: (candidates: readonly Entry[], wouldRun: WouldRun) => ReadonlyMap<string, Refusal> | Promise<ReadonlyMap<string, Refusal>>;
  /** Is the entry's `if` false for this call? */
  readonly condition: (entry: Entry, event: EventName, facts: Facts[EventName], cwd: string) => Refusal | undefined;
}

export interface World {
  /** Settings are looked at once a turn of the event loop, and never in mid-stream. */
  readonly current: (midStream: boolean) => Current;
  readonly recordsEvery: boolean;
  readonly now: () => number;
  readonly nextFiringId: () => string;
  readonly tallies: Tallies;
  readonly emit: (event: EngineEvent) => void;
  readonly heard: () => boolean;
  readonly tellRegistry: (current: Current) => void;
  /** Aborted when the engine is disposed of: what still runs ends then, but for runs that may outlive the host. */
  readonly ending: AbortSignal;
  /** Keeps hold of what a firing did not wait for. */
  readonly later: (pending: Promise<void>) => void;
}
