/** Joins the trust room to an engine: is the folder trusted, and may a project's hook run now? */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import type { Refusal } from "../firing/index.ts";
import type { Entry } from "../protocol/index.ts";
import type { FolderDecision, Snapshot, UntrustedView } from "../settings/index.ts";
import type { EngineEvent, EngineOptions } from "./options.ts";

export interface Trusting {
  readonly folder: (view: UntrustedView) => FolderDecision;
  /** Files whose change may change the folder's trust. */
  readonly watched: readonly string[];
  /** True for entries that are not a project's: they run without a look at the trust store. */
  readonly needsNoLook: (entry: Entry) => boolean;
  readonly gate: (snapshot: Snapshot, candidates: readonly Entry[]) => ReadonlyMap<string, Refusal> | Promise<ReadonlyMap<string, Refusal>>;
}
interface Parts {
  readonly options: EngineOptions;
  readonly dialects: readonly Dialect[];
  readonly where: Whereabouts;
  readonly stateDir: string;
  readonly emit: (event: EngineEvent) => void;
}

export function createTrusting({ options }: Parts): Trusting {
  return {
    folder: () => ({ trusted: options.folderTrust ?? true, by: "the host" }),
    watched: [],
    needsNoLook: () => true,
    gate: () => new Map(),
  };
}
