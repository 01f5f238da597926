/** Joins the trust room to an engine: is the folder trusted, and may a project's hook run now? */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import type { Refusal } from "../firing/index.ts";
import type { Entry } from "../protocol/index.ts";
import { type FolderDecision, PROJECT_SCOPES, type Snapshot, type TrustPolicy, type UntrustedView } from "../settings/index.ts";
import {
  createFingerprints,
  createGate,
  createTrustStore,
  type FolderTrust,
  folderTrust,
  type Gate,
  type Judged,
  type Notice,
  type Standing,
  standings,
  type TrustStore,
  type WouldRun,
} from "../trust/index.ts";
import type { EngineEvent, EngineOptions, UnknownHook } from "./options.ts";

export interface Trusting {
  readonly store: TrustStore;
  readonly folder: (view: UntrustedView) => FolderDecision;
  /** As it was decided last: `trusted` is `undefined` where nobody has decided. */
  readonly decided: () => FolderTrust;
  /** Files whose change may change the folder's trust. */
  readonly watched: readonly string[];
  /** True for entries that are not a project's: they run without a look at the trust store. */
  readonly needsNoLook: (entry: Entry) => boolean;
  readonly judged: (entries: readonly Entry[]) => readonly Judged[];
  readonly standings: (entries: readonly Entry[]) => readonly Standing[];
  readonly gate: (
    snapshot: Snapshot,
    candidates: readonly Entry[],
    wouldRun: WouldRun,
  ) => ReadonlyMap<string, Refusal> | Promise<ReadonlyMap<string, Refusal>>;
}
interface Parts {
  readonly options: EngineOptions;
  readonly dialects: readonly Dialect[];
  readonly where: Whereabouts;
  readonly stateDir: string;
  readonly emit: (event: EngineEvent) => void;
}

export function createTrusting({ options, dialects, where, stateDir, emit }: Parts): Trusting {
  const store = createTrustStore({ home: where.home, env: { ...where.env, CARABINER_HOME: stateDir } });
  const fingerprints = createFingerprints(dialects, where);
  const gates = new Map<TrustPolicy, Gate>();
  let decision: FolderTrust = { trusted: undefined, by: "nobody" };

  const gateOf = (policy: TrustPolicy): Gate => {
    const known = gates.get(policy);
    if (known) return known;
    const { askTrust } = options;
    const common = {
      projectDir: where.cwd,
      store,
      fingerprints,
      report: (found: Parameters<Parameters<typeof createGate>[0]["report"]>[0]) => emit({ kind: "problem", problem: found }),
    };
    const gate = createGate(
      policy === "warn"
        ? { ...common, policy, announce: (notice) => emit({ kind: "unknownHook", hook: unknownHook(notice) }) }
        : policy === "ask" && askTrust
          ? { ...common, policy, ask: (notice) => askTrust(unknownHook(notice)) }
          : { ...common, policy: "require" },
    );
    gates.set(policy, gate);
    return gate;
  };
  const refused = (found: Awaited<ReturnType<Gate["admit"]>>): ReadonlyMap<string, Refusal> => {
    for (const { problem } of found.values()) emit({ kind: "problem", problem });
    return found;
  };

  const judged = (entries: readonly Entry[]): readonly Judged[] => entries.map((entry) => ({ entry, fingerprint: fingerprints.of(entry) }));

  return {
    store,
    folder: (view) => {
      decision = folderTrust({
        host: options.folderTrust,
        view,
        store,
        ...(options.projectFiles ? { projectFiles: options.projectFiles } : {}),
      });
      // Where nobody has decided the library takes the folder as trusted; hosts that want a decision ask `engine.folder()`. Source: the Gemini contract, "Trust and management".
      return { trusted: decision.trusted ?? true, by: decision.by };
    },
    decided: () => decision,
    watched: [store.path],
    needsNoLook: (entry) => !PROJECT_SCOPES.has(entry.scope),
    judged,
    standings: (entries) => standings(judged(entries.filter(({ scope }) => PROJECT_SCOPES.has(scope))), store.hooksOf(where.cwd)),
    gate: (snapshot, candidates, wouldRun) => {
      const found = gateOf(stricter(options.trust, snapshot.carabiner.trust)).admit(candidates, wouldRun);
      return found instanceof Promise ? found.then(refused) : refused(found);
    },
  };
}

const STRICTNESS: readonly TrustPolicy[] = ["warn", "ask", "require"];
/** Settings of the user and the system can only make the host's policy stricter. */
function stricter(a: TrustPolicy = "warn", b: TrustPolicy = "warn"): TrustPolicy {
  return STRICTNESS[Math.max(STRICTNESS.indexOf(a), STRICTNESS.indexOf(b))] ?? "require";
}

function unknownHook({ entry, command, change, why, fingerprint }: Notice): UnknownHook {
  return { entry, command, change, why, scripts: fingerprint.scripts.map(({ path }) => path) };
}
