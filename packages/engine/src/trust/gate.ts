/** Turns the project hooks that are about to run into those that may not, by the trust policy. */
import { commandOf, type Entry, type Problem, problem } from "../protocol/index.ts";
import { isSameStamp, PROJECT_SCOPES, type Stamp, stampOf } from "../settings/index.ts";
import type { Fingerprints } from "./fingerprint.ts";
import { difference } from "./standing.ts";
import type { Judged, TrustStore } from "./store.ts";

/** A project hook that the user has not seen, or not approved, as it is now. */
export interface Notice extends Judged {
  /** In full, as written. */
  readonly command: string;
  readonly change: "new" | "changed";
  /** What is new or has changed, for people. */
  readonly why: string;
}
export interface Unapproved {
  readonly status: "unapproved";
  readonly why: string;
  readonly problem: Problem;
}

interface Surroundings {
  readonly projectDir: string;
  readonly store: Pick<TrustStore, "approve" | "hooksOf" | "path" | "seen">;
  readonly fingerprints: Fingerprints;
  /** Gets what went wrong with the store. Must not throw. */
  readonly report: (problem: Problem) => void;
}
export type GateOptions = Surroundings &
  (
    | {
        readonly policy: "warn";
        /** Called before the hook's process starts. Must not throw. */
        readonly announce: (notice: Notice) => void;
      }
    | {
        readonly policy: "ask";
        /** The user's answer. One question at a time; a rejection counts as no, and the same question is not put again in this session. */
        readonly ask: (notice: Notice) => Promise<boolean>;
      }
    | { readonly policy: "require" }
  );
/** Which entries would start if those of these ids were refused: nobody is told or asked about another, such as a copy of the user's own hook. */
export type WouldRun = (refused: ReadonlySet<string>) => readonly Entry[];
export interface Gate {
  /**
   * Of entries that are about to run, those that may not, by id. Only a project's hooks are looked at. Synchronous unless somebody has to be asked;
   * never rejects. Every script is looked at each time: what changed since the last firing is new. `wouldRun`, default: all that are not refused.
   */
  admit(entries: readonly Entry[], wouldRun?: WouldRun): ReadonlyMap<string, Unapproved> | Promise<ReadonlyMap<string, Unapproved>>;
}

/**
 * `warn`: what is new is announced, remembered as seen, and runs. `ask`: it waits for a yes, which is an approval. `require`: only what is approved runs.
 * Being warned is never an approval. Source: contracts/gemini.md, "Trust and management"; design, "Trust".
 */
export function createGate(options: GateOptions): Gate {
  const { fingerprints, store, projectDir, report } = options;
  /** Key of an entry -> the digest that may run, as the store said when its file had `stamp`. */
  const admitted = new Map<string, string>();
  let stamp: Stamp | undefined;
  const refusals = new Map<string, string>();
  const questions = new Map<string, Promise<boolean>>();
  let turn: Promise<unknown> = Promise.resolve();

  const unknownAmong = (entries: readonly Entry[], all: readonly Entry[]): readonly Notice[] => {
    const current = stampOf(store.path);
    // Somebody approved or revoked something meanwhile.
    if (!isSameStamp(stamp, current)) admitted.clear();
    stamp = current;
    const judged = entries.map((entry): Judged => ({ entry, fingerprint: fingerprints.of(entry) }));
    const open = judged.filter(({ entry, fingerprint }) => admitted.get(entry.key) !== fingerprint.digest);
    if (open.length === 0) return [];
    const records = store.hooksOf(projectDir);
    const keys = new Set(all.map(({ key }) => key));
    return open.flatMap(({ entry, fingerprint }) => {
      const record = records.get(entry.key);
      if (record?.digest === fingerprint.digest && (options.policy === "warn" || record.state === "approved")) {
        admitted.set(entry.key, fingerprint.digest);
        return [];
      }
      return [{ entry, fingerprint, command: commandOf(entry) ?? "", ...difference(entry, fingerprint, record, records, keys) }];
    });
  };

  /** The same question is put once, whoever waits for its answer, and one at a time. */
  const answer = (notice: Notice, ask: (notice: Notice) => Promise<boolean>): Promise<boolean> => {
    const key = questionOf(notice);
    const open = questions.get(key);
    if (open !== undefined) return open;
    const put = turn.then(async () => {
      try {
        if (await ask(notice)) return true;
        refusals.set(key, "you said no");
      } catch (error) {
        refusals.set(key, `nobody could be asked: ${error instanceof Error ? error.message : String(error)}`);
      }
      return false;
    });
    turn = put;
    const settled = put.finally(() => questions.delete(key));
    questions.set(key, settled);
    return settled;
  };

  const asked = async (
    entries: readonly Entry[],
    starting: WouldRun,
    ask: (notice: Notice) => Promise<boolean>,
  ): Promise<ReadonlyMap<string, Unapproved>> => {
    const refused = new Map<string, Unapproved>();
    let open = unknownAmong(starting(new Set()), entries);
    while (open.length > 0) {
      for (const notice of open) {
        const { entry, fingerprint } = notice;
        const earlier = refusals.get(questionOf(notice));
        // A copy of it, or another firing, may have had the answer meanwhile.
        if (admitted.get(entry.key) === fingerprint.digest) continue;
        if (earlier === undefined && (await answer(notice, ask))) {
          admitted.set(entry.key, fingerprint.digest);
          store.approve(projectDir, [notice]).forEach(report);
          stamp = stampOf(store.path);
        } else refused.set(entry.id, unapproved(notice, earlier ?? refusals.get(questionOf(notice)) ?? notice.why));
      }
      // A script may have changed while the question stood: what was said yes to is not what would run. After a no a copy may be next.
      open = unknownAmong(starting(new Set(refused.keys())), entries);
    }
    return refused;
  };

  return {
    admit(entries, wouldRun = (refused) => entries.filter(({ id }) => !refused.has(id))) {
      const mine = entries.filter(isLookedAt);
      if (mine.length === 0) return NOBODY;
      const starting: WouldRun = (refused) => wouldRun(refused).filter(isLookedAt);
      switch (options.policy) {
        case "warn": {
          const open = unknownAmong(starting(new Set()), mine);
          for (const notice of open) {
            options.announce(notice);
            admitted.set(notice.entry.key, notice.fingerprint.digest);
          }
          if (open.length === 0) return NOBODY;
          store.seen(projectDir, open).forEach(report);
          stamp = stampOf(store.path);
          return NOBODY;
        }
        case "ask":
          return unknownAmong(starting(new Set()), mine).length === 0 ? NOBODY : asked(mine, starting, options.ask);
        case "require":
          return new Map(unknownAmong(mine, mine).map((notice) => [notice.entry.id, unapproved(notice, notice.why)]));
      }
    },
  };
}

const isLookedAt = ({ scope, barred }: Entry): boolean => barred === undefined && PROJECT_SCOPES.has(scope);
const NOBODY: ReadonlyMap<string, Unapproved> = new Map();
const questionOf = ({ entry, fingerprint }: Judged): string => `${entry.key} ${fingerprint.digest}`;

function unapproved({ entry, command }: Notice, why: string): Unapproved {
  return {
    status: "unapproved",
    why,
    problem: problem("HOOK_UNAPPROVED", entry.place ?? { entry: entry.id }, { command, why }, entry.name),
  };
}
