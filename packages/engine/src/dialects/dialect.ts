/** The column headings. A dialect's table answers these and nothing else, and the stages know only these. */
import type {
  DialectId,
  EventName,
  Facts,
  Json,
  JsonObject,
  Patience,
  RulingKind,
  Scope,
  SlotName,
  SlotOf,
  Slots,
  Story,
  ToolWords,
  Translator,
  VariantOf,
} from "../protocol/index.ts";

/** What common stdin and the environment say of the session. */
export interface SessionWords {
  readonly id: string;
  /** Where the event happens. */
  readonly cwd: string;
  /** The directory whose settings were loaded, fixed for the session. */
  readonly projectDir: string;
  readonly transcriptPath: string;
  readonly plansDir: string;
  /** A canonical permission mode: `default`, `autoEdit`, `plan`, `dontAsk`, `auto`, `yolo`. */
  readonly permissionMode: string;
  readonly agent: { readonly id: string; readonly type: string } | undefined;
  /** ISO 8601, the same for every hook of one firing. */
  readonly firedAt: string;
}

/** What a stdin cell may use besides the facts: the session, and this dialect's words. */
export interface Speaker extends Translator {
  readonly session: SessionWords;
  readonly wireName: string;
  /** This dialect's word for the event's subject. */
  readonly subject: string;
}
/** `undefined`: the key is left out. */
export type Cell<E extends EventName> = (facts: Facts[E], say: Speaker) => Json | undefined;
/** Wire key -> where it comes from, in wire order. Enumerable, so that docs and the completeness test read it. */
export type Stdin<E extends EventName> = Readonly<Record<string, Cell<E>>>;

/** A dotted path from the top of the object a hook printed. */
export type Path = string;

/** Another field, and the text it must be for this one to mean anything. */
export interface Beside {
  readonly at: Path;
  readonly is: string;
}

/** Which field of stdout fills which slot. Listed in order; for a ruling the strongest of those present counts. */
export type Reads<S extends string> =
  | {
      readonly fills: "ruling";
      readonly at: Path;
      /** The value as text (`"deny"`, `"false"`) -> the ruling; `none`: understood, and decides nothing. */
      readonly values: Readonly<Record<string, RulingKind | "none">>;
      readonly expected: "string" | "boolean";
      /** Where the reason stands; the first path that holds a text counts. */
      readonly reason: readonly Path[];
      /** Does not count where a field listed before it, at this path, was understood. */
      readonly yieldsTo?: Path;
      readonly onlyWith?: Beside;
    }
  | { readonly fills: Extract<S, "input">; readonly at: Path; readonly how: "merge" | "whole"; readonly onlyWith?: Beside }
  | { readonly fills: Extract<S, "message" | "context">; readonly at: Path }
  | { readonly fills: Extract<S, "clearContext" | "quiet">; readonly at: Path }
  /** `shown` is where stdin has it: who prints back what is there changes nothing. */
  | { readonly fills: Extract<S, "result">; readonly at: Path; readonly shown: Path }
  | Decoded<Extract<S, "request" | "response" | "toolLimit" | "tailCall">>;

/** A slot whose wire shape is this dialect's own: the table brings the decoder, as it brings the stdin encoder. `expected` is for messages. */
export type Decoded<S extends SlotName> = {
  readonly [K in S]: {
    readonly fills: K;
    readonly at: Path;
    readonly expected: string;
    /** The keys of it that are read; any other that the hook was not shown there is noted. */
    readonly keys: readonly string[];
    readonly as: (value: Json, say: Decoding) => Slots[K] | undefined;
  };
}[S];
export interface Decoding {
  readonly hostToolName: (wire: string) => string;
  readonly hostPatch: (call: { readonly name: string }, wire: JsonObject) => JsonObject;
  /** What this hook was shown on stdin: only what differs from it is its change. */
  readonly shown: JsonObject;
}

/** How a matcher is compiled; one implementation each in the matching stage. */
export type MatcherSyntax = "regexElseLiteral" | "exact" | "namesElseRegex" | "nothingToMatch";

export interface EventRow<E extends EventName> {
  /** 1. Which canonical event, and which variants of it, reach this row. */
  readonly on: E;
  readonly when?: readonly VariantOf<E>[];
  /** 2. How a matcher is read. `words`: canonical subject -> wire word, then aliases; a subject that is not listed is passed on as it is, one listed as `[]` does not reach this dialect. */
  readonly matcher: {
    readonly as: MatcherSyntax;
    readonly words?: Readonly<Record<string, readonly string[]>>;
    /** The wire words this event is documented to have: a matcher that fits none of them is noted. Absent: an open list (tool names). */
    readonly known?: readonly string[];
  };
  /** 3. The stdin fields of this event (the head has the common ones), and the way back: facts from such fields, what is missing taken from the example. */
  readonly stdin: Stdin<E>;
  readonly facts: (fields: JsonObject, example: Facts[E]) => Facts[E];
  readonly example: Facts[E];
  /** 4. The output fields that count. Every other known field that is present is noted as ignored. */
  readonly reads: readonly Reads<SlotOf<E>>[];
  /** 5. What exit 2 means: a denial with stderr as reason, stderr as context for the model, or nothing. */
  readonly exit2: "deny" | "context" | "ignored";
  /** 6. May `onFailure: "block"` deny here? Only where exit 2 denies, and not where a denial means "go on". */
  readonly failClosed: boolean;
  /** 7. What exit 0 with text that is no JSON object means. */
  readonly plainText: "message" | "context" | "noted";
  /** 8. How long added context lives. */
  readonly contextLasts?: "turn" | "history";
  /** 9. Whether and how long the host waits. Absent: until done, within the timeout. */
  readonly patience?: Patience;
  /** 10. Document and section. */
  readonly source: string;
}
export type AnyRow = { readonly [E in EventName]: EventRow<E> }[EventName];
/** Contextual types for the cells of one row. */
export const row = <E extends EventName>(on: E, cells: Omit<EventRow<E>, "on">): EventRow<E> => ({ on, ...cells });

/** Where on this machine a dialect looks for things. */
export interface Whereabouts {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
export interface LayerSpec {
  readonly scope: Exclude<Scope, "code">;
  /** Absolute paths. A `*` stands for one directory name: every one that exists, in listing order. */
  readonly file: (where: Whereabouts) => string;
}

/** A departure of a product's binary from its own documents. Source of each: the study of the real binary, by rule id. */
export interface Divergence {
  readonly id: string;
  /** The versions it was observed on. */
  readonly observed: string;
  /** Does this firing show it? A function of the joined record only. */
  readonly when: (story: Story) => boolean;
  /** One sentence: what the real CLI would do. */
  readonly says: string;
}

export interface Dialect {
  readonly id: DialectId;
  readonly title: string;
  /** Settings: highest precedence first, which is the order of entries in a firing. */
  readonly layers: readonly LayerSpec[];
  /** Which layer counts first for a single value: not always the order above. */
  readonly scalarOrder: readonly Scope[];
  /** Files people mistake for settings: hooks found there are a Problem. */
  readonly lookalikes: readonly { readonly file: (where: Whereabouts) => string; readonly says: string }[];
  readonly switches: {
    readonly allOff: readonly { readonly at: Path; readonly is: boolean }[];
    /** List of identifiers that are switched off; also where `setEnabled` writes. */
    readonly names: Path;
    /** Old places of the same settings: honoured, with a Problem. */
    readonly legacy: readonly { readonly at: Path; readonly means: "allOff" | "names"; readonly is?: boolean; readonly instead: string }[];
    /** Keys inside `hooks` that are switches and no events. */
    readonly notEvents: readonly string[];
    /** Where "show running hooks" is set (default true). */
    readonly notifications: Path;
  };
  readonly groupKeys: readonly string[];
  readonly handlerKeys: readonly string[];
  /** The handler's key whose text describes it to people. */
  readonly describes: string;
  readonly handlerTypes: Readonly<Record<string, "run" | "unsupported">>;
  readonly sameHook: readonly ("name" | "command" | "args")[];
  /** Has a handler an `if`? `toolGlob`: `Tool` or `Tool(pattern)`; the tool is compared as the event's row reads a matcher. */
  readonly conditions: "toolGlob" | "none";
  /** `suspect`: a written number outside these bounds is probably meant in another unit. */
  readonly timeout: {
    readonly unitMs: 1 | 1000;
    readonly unit: string;
    readonly defaultMs: number;
    readonly suspect: { readonly below?: number; readonly above?: number };
  };
  readonly expands: {
    /** `$NAME`, `${NAME}`, `${NAME:-default}` in settings strings, never inside `command`. */
    readonly settingsStrings: boolean;
    /** Own variables that `${NAME}` stands for in the program and the arguments of the exec form. */
    readonly inArgs: readonly string[];
    /** Is `${extensionPath}`, `${workspacePath}`, `${/}` expanded in an extension's strings? */
    readonly extension: boolean;
  };
  /** What is said of an extension beside its hooks; absent: nothing is. File names are below the extension's folder. */
  readonly extensions?: {
    /** The file that describes an extension, and where its name stands in it. */
    readonly manifest: string;
    readonly named: Path;
    /** The file that says how it came here, and the folder it only links to. */
    readonly installed: string;
    readonly link: (stored: Json) => string | undefined;
    /** The file that switches extensions off for folders: `name` is the extension's own, `folder` the project with links followed. */
    readonly enablement: {
      readonly file: (where: Whereabouts) => string;
      readonly isOff: (stored: Json, name: string, folder: string) => boolean;
    };
  };
  /** Event names that are words of the product and have no row. */
  readonly notFiredHere: readonly string[];
  readonly folderTrust: {
    /** An environment variable that decides (`true` or `false`). */
    readonly variable: string | undefined;
    /** A switch in the user or system layer that turns folder trust off. */
    readonly off: { readonly at: Path; readonly is: boolean } | undefined;
    /** The product's own store, and how it is read: the path given, trusted or not, or nothing said. */
    readonly store:
      | { readonly file: (where: Whereabouts) => string; readonly read: (stored: Json, folder: string) => boolean | undefined }
      | undefined;
  };
  /** Common stdin, before the event's own fields. */
  readonly stdin: Stdin<EventName>;
  /** Variable -> what it holds. Always overwritten. */
  readonly environment: Readonly<Record<string, "projectDir" | "cwd" | "sessionId" | "plansDir">>;
  readonly sanitising: {
    readonly enabled: Path;
    readonly allowed: Path;
    readonly blocked: Path;
    /** Is everything dropped that is not always allowed? */
    readonly strict: (env: Readonly<Record<string, string | undefined>>) => boolean;
  };
  /** Where a hook's process starts. */
  readonly runsIn: "cwd" | "projectDir";
  readonly tools: ToolWords;
  /** Canonical permission mode -> this dialect's word. */
  readonly permissionModes: Readonly<Record<string, string>>;
  /** Is a JSON string that holds JSON decoded once more? */
  readonly decodesTwice: boolean;
  /** What JSON that is no object means. */
  readonly otherJson: "noOpinion" | "plainText";
  /** `never`: hookSpecificOutput counts whatever event it names. */
  readonly specificOutputNamesEvent: "never" | "checked";
  /** What `suppressOutput` hides: the firing from the record, or the hook's message from the user. */
  readonly quietHides: "record" | "message";
  readonly frame: (context: string) => string;
  readonly rows: Readonly<Record<string, AnyRow>>;
  readonly divergences: readonly Divergence[];
}
