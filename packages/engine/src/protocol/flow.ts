/** The values between the stages of a firing. Each is immutable, and each is all that the next stage needs. */
import type { Change, Context, EventName, Facts, Message, Opinion, Ruling, Slots } from "./events.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Place, Problem } from "./problems.ts";
import type { Status } from "./status.ts";

export type DialectId = string;
/** Which kind of file (or the host's own code) an entry comes from. */
export type Scope = "code" | "flag" | "local" | "project" | "user" | "system" | "extension" | "systemDefaults";

/** How long a firing waits for a run (`"untilDone"`: within its timeout), and what becomes of it then. */
export type Patience = { readonly waitMs: number | "untilDone"; readonly then: "end" | "leave" };

/** Why an entry can never run as things stand, decided at load. */
export type Barred = {
  readonly status: Extract<Status, "disabled" | "untrusted" | "unsupported" | "notFiredHere" | "broken" | "badMatcher">;
  readonly why: string;
};

export type Runner =
  | { readonly kind: "shell"; readonly command: string; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: "exec"; readonly file: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: "function"; readonly call: HookFunction };
/** A hook in the host's own code. It may throw or reject: that is a failed run, never a failed firing. */
export type HookFunction = (
  facts: Facts[EventName],
  info: { readonly signal: AbortSignal },
) => Opinion | undefined | Promise<Opinion | undefined>;

/** A condition such as `Bash(git push:*)`: the tool, and the pattern on its main argument. */
export interface Condition {
  readonly tool: string;
  readonly pattern: string | undefined;
}

/** A handler as registered. `key` survives edits elsewhere in the file (trust, statistics); `id` names its place now. */
export interface Entry {
  readonly id: string;
  readonly key: string;
  /** `undefined`: a function registered in code, which speaks canonical words. */
  readonly dialect: DialectId | undefined;
  readonly wireName: string;
  readonly scope: Scope;
  readonly place: Place | undefined;
  /** Position among all entries: the order of merging, whatever order they finish in. */
  readonly order: number;
  /** Entries of one sequential group share a lane; everybody else has one alone. */
  readonly lane: number;
  /** Two entries with the same text here are one hook configured twice, and run once. */
  readonly same: string;
  /** The identifier: its name, else its command. */
  readonly name: string;
  readonly description: string | undefined;
  readonly matcher: string | undefined;
  readonly run: Runner;
  readonly timeoutMs: number;
  /** Was the timeout written down (and usable), or is it the dialect's default? */
  readonly timeoutGiven: boolean;
  readonly condition: Condition | undefined;
  readonly once: boolean;
  /** The firing does not wait for it, and it decides nothing. */
  readonly background: boolean;
  readonly onFailure: "allow" | "block";
  readonly budgetMs: number | undefined;
  readonly sequential: boolean;
  readonly barred: Barred | undefined;
  /** The definition as written (event, group keys, handler keys): what a fingerprint covers. */
  readonly written: JsonObject;
}

/** Every configured handler of every layer, in order, and what was wrong with the files. */
export interface Registry {
  readonly generation: number;
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

/**
 * What runs, and for everybody else why not. It depends on nothing but (registry, event, variant, subject), so it is built once, cached and shared.
 * `candidates` are in order and matched; when `final` they are also free of duplicates and run as they are, else trust, `if` and `once` are looked at per firing.
 */
export interface Plan {
  readonly id: string;
  readonly generation: number;
  readonly event: EventName;
  readonly variant: string | undefined;
  readonly subject: string | undefined;
  readonly candidates: readonly Entry[];
  readonly final: boolean;
  readonly statuses: readonly Status[];
  readonly why: Readonly<Record<number, string>>;
  readonly problems: readonly Problem[];
}

/** How one run ended: never null. stdout and stderr are decoded; `truncated` says that the cap was reached. */
export type Run = {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly truncated: readonly ("stdout" | "stderr")[];
  /** Something of it moved out of its process group and may still run. */
  readonly escaped: boolean;
  readonly pid?: number;
  readonly cwd?: string;
  readonly shell?: string;
  /** Names of the variables that were kept from it. */
  readonly withheld?: readonly string[];
  readonly problems: readonly Problem[];
} & (
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timedOut"; readonly afterMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "left"; readonly afterMs: number }
  | { readonly kind: "notStarted"; readonly message: string }
  | { readonly kind: "returned"; readonly opinion: Opinion | undefined }
  | { readonly kind: "threw"; readonly message: string }
);

/** How a run's output was read. */
export type ReadAs = "object" | "text" | "otherJson" | "nothing" | "refusal" | "failure" | "notRead" | "opinion";

/** How a run was read, already in host words: from here on nobody knows which dialect it came from. */
export interface Report {
  readonly entry: Entry;
  readonly run: Run;
  readonly status: Status;
  readonly readAs: ReadAs;
  /** The object the hook printed, where it counted. */
  readonly output: JsonObject | undefined;
  readonly opinion: Opinion;
  readonly problems: readonly Problem[];
  readonly contextLasts: "turn" | "history";
  readonly frame: (text: string) => string;
  /** A quiet hook's message is not shown. Source: the Qoder CN contract, "Exit codes and stdout". */
  readonly quietHidesMessage: boolean;
}

/** One step of the merge: which entry said what, and what became of it. */
export interface Step {
  readonly entry: string;
  readonly what: "ruling" | keyof Slots;
  readonly did: string;
}

export interface Verdict {
  readonly ruling: Ruling | undefined;
  /** Ids of the entries that decided, and of those that ruled otherwise and lost. */
  readonly because: readonly string[];
  readonly overruled: readonly string[];
  /** A denial stands under a stop: what it withholds stays withheld. */
  readonly withheld: boolean;
  readonly slots: { readonly [S in Exclude<keyof Slots, "input" | "message" | "context">]?: Slots[S] };
  readonly inputs: readonly { readonly entry: string; readonly dialect: DialectId | undefined; readonly change: Change }[];
  readonly contexts: readonly Context[];
  readonly messages: readonly Message[];
  readonly steps: readonly Step[];
  readonly problems: readonly Problem[];
}

/** One layer of settings as found on disk. `settings` is absent where the file is missing or unusable. */
export interface Layer {
  readonly dialect: DialectId;
  readonly scope: Scope;
  readonly path: string;
  readonly found: boolean;
  readonly settings: JsonObject | undefined;
  /** The text as read, for places in messages. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** It could not be read because the system had nothing left for that just then: a later look may find it as it was. */
  readonly momentary?: true;
  /** The name of the extension's folder, the folder with its files (which a link may lead to), and the file that switches it off here, if one does. */
  readonly extension?: { readonly name: string; readonly path: string; readonly offBy?: string } | undefined;
}
export type { Json };
