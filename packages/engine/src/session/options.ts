/** What a host says when it creates an engine, and what the engine tells while it works. */
import type {
  DialectId,
  Entry,
  EventName,
  Facts,
  JournalLine,
  JsonObject,
  Message,
  Opinion,
  Outcome,
  Plan,
  Problem,
  Report,
  Status,
  ToolWords,
} from "../protocol/index.ts";
import type { TrustPolicy } from "../settings/index.ts";

/** A project hook that the user has not seen, or not approved, in its present form. */
export interface UnknownHook {
  readonly entry: Entry;
  /** In full, as it will run. */
  readonly command: string;
  readonly change: "new" | "changed";
  /** What is new or has changed, for people. */
  readonly why: string;
  /** The script files it names, which its fingerprint covers. */
  readonly scripts: readonly string[];
}

export interface EngineOptions {
  /** The project directory: its settings are loaded, and hooks know it as the project's directory. */
  readonly cwd: string;
  /** Ids of dialects. Default: those of which a settings file exists, or hooks in a file mistaken for one, else the first of the roll-call. */
  readonly dialects?: readonly DialectId[];
  /** How this host names its tools: a dialect's id, or a table of its own. Default: the first dialect's words. Unknown names pass unchanged. */
  readonly tools?: DialectId | ToolWords;
  /** Default: the user's home directory. */
  readonly home?: string;
  /** Default: the environment of this process, as it is when a hook runs. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** Settings files named by the user, read before all others. */
  readonly settingsFiles?: readonly string[];
  /** `warn` (default), `ask` with `askTrust`, or `require`; settings of the user and the system can only make it stricter. */
  readonly trust?: TrustPolicy;
  /** Asked under `ask`, one hook at a time, before an unknown project hook runs; a yes approves exactly this form of it. Without it `ask` is `require`. */
  readonly askTrust?: (hook: UnknownHook) => Promise<boolean>;
  /** Is the folder trusted? Default: what the environment, settings and stores say; where nobody says anything, trusted. */
  readonly folderTrust?: boolean;
  /** Further files of the folder, absolute, that make a decision about it necessary (context files, `.env`). */
  readonly projectFiles?: readonly string[];
  /** Hooks at work at the same time, in all firings together. Default: the setting `carabiner.maxParallel`, else 64. */
  readonly maxParallel?: number;
  /**
   * How long a firing waits for hooks that may outlive the host, in milliseconds: those of the session's end. Default: what the dialect's contract says, 500.
   * A host that can spare the time may wait longer, and hear from more of them.
   */
  readonly leaveAfterMs?: number;
  /** `ran` (default): firings in which nothing ran are told as tallies. `every`: one full record each (tests, `fire`, replay). */
  readonly record?: "ran" | "every";
  /** Where trust and runs that outlive the host are kept. Default: `CARABINER_HOME`, else `<home>/.carabiner`. */
  readonly stateDir?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What the engine tells its subscribers. Listeners must not throw; what one throws is thrown again on its own, outside the firing. */
export type EngineEvent =
  | { readonly kind: "hookStarted"; readonly firing: string; readonly entry: Entry; readonly index: number; readonly total: number }
  | {
      readonly kind: "hookEnded";
      readonly firing: string;
      readonly session: string;
      readonly entry: Entry;
      readonly status: Status;
      readonly durationMs: number;
      readonly report: Report;
      /** What the hook read on stdin; `undefined` for functions. */
      readonly stdin: () => JsonObject | undefined;
    }
  | { readonly kind: "unknownHook"; readonly hook: UnknownHook }
  | { readonly kind: "message"; readonly firing: string; readonly message: Message }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "line"; readonly line: JournalLine };

export interface SessionOptions {
  /** Default: a random UUID. */
  readonly id?: string;
  /** Default: the empty string, which says that there is none. */
  readonly transcriptPath?: string;
  readonly plansDir?: string;
  /** Where things happen now. Default: the engine's `cwd`. */
  readonly cwd?: () => string;
  /** A canonical permission mode. Default: `default`. */
  readonly permissionMode?: () => string;
}
export interface FireOptions {
  /** An abort ends the hooks; the firing resolves with `stop` where the event can stop. */
  readonly signal?: AbortSignal;
}
export type RegisteredHook<E extends EventName> = (
  facts: Facts[E],
  info: { readonly signal: AbortSignal },
) => Opinion | undefined | Promise<Opinion | undefined>;
export interface RegisterOptions {
  readonly name?: string;
  /** A regular expression on the event's subject in the host's words. */
  readonly matcher?: string;
  /** Default 60000. */
  readonly timeoutMs?: number;
  /** What a throw or a timeout means, on events that can be denied. Default `allow`. */
  readonly onFailure?: "allow" | "block";
}

/** Misuse of the API: the one thing the engine throws for. */
export class HooksError extends Error {
  readonly code: "UNKNOWN_DIALECT" | "UNKNOWN_EVENT" | "DISPOSED" | "BAD_OPTION";
  constructor(code: HooksError["code"], message: string) {
    super(message);
    this.name = "HooksError";
    this.code = code;
  }
}

/** A scope in which events are fired: the primitive `fire`, and what hosts ask around it. */
export interface Firing {
  readonly id: string;
  /** False: nothing is configured for this event in any dialect; a hot loop may skip building its facts. */
  listens(event: EventName): boolean;
  /** Rejects only for misuse: whatever hooks do is in the outcome and its record. */
  fire<E extends EventName>(event: E, facts: Facts[E], options?: FireOptions): Promise<Outcome<E>>;
  /** Could a hook that would run refuse this event? Where none could, a host need not wait for it. */
  mayRefuse<E extends EventName>(event: E, facts: Facts[E]): boolean;
  /** What would run, and for everybody else why not. */
  plan<E extends EventName>(event: E, facts: Facts[E]): Plan;
}
