/** The canonical events: what the host tells (Facts), what a hook can say (Opinion), what the host gets back (Outcomes), one spec each. No dialect here. */
import type { Json, JsonObject, Lazy } from "./json.ts";
import { read } from "./json.ts";
import { type ModelRequest, type ModelResponse, patched, type RequestPatch, type ToolLimit } from "./model.ts";
import type { FiringRecord } from "./record.ts";
import type { ToolCall } from "./tools.ts";

/** What a tool gave. `content` is what the model reads, `display` what a person sees; `error` marks a failed tool. */
export interface ToolResult {
  readonly content: Json;
  readonly display?: Json;
  readonly error?: { readonly message: string; readonly type?: string };
}
export interface AgentIdentity {
  readonly id: string;
  readonly type: string;
}

/** What the host tells of each event, in its own words. Values of open lists (`source`, `reason`, `type`) may be any string: unlisted ones are matched and passed on. */
export interface Facts {
  sessionStart: { readonly source: "startup" | "resume" | "clear" | "compact" | (string & {}); readonly model?: string };
  sessionEnd: { readonly reason: "exit" | "clear" | "logout" | "promptExit" | "other" | (string & {}) };
  beforeAgent: { readonly prompt: string; readonly origin?: "user" | "retry" };
  afterAgent: { readonly prompt: string; readonly response: string; readonly retrying: boolean };
  beforeModel: { readonly request: Lazy<ModelRequest> };
  beforeToolSelection: { readonly request: Lazy<ModelRequest> };
  afterModel: { readonly request: Lazy<ModelRequest>; readonly response: Lazy<ModelResponse> };
  beforeTool: { readonly tool: ToolCall };
  permissionRequest: { readonly tool: ToolCall };
  /** One moment for success and failure: a host need not know which products tell the two apart. `asked`: the arguments as the model asked, where hooks changed them. */
  afterTool: { readonly tool: ToolCall; readonly asked?: JsonObject; readonly result: ToolResult; readonly interrupted?: boolean };
  subagentStart: { readonly agent: AgentIdentity };
  subagentStop: { readonly agent: AgentIdentity; readonly response: string; readonly retrying: boolean };
  beforeCompress: { readonly trigger: "auto" | "manual" | (string & {}); readonly instructions?: string };
  notification: {
    readonly type: "permission" | "result" | "idle" | (string & {});
    readonly message: string;
    readonly title?: string;
    readonly details?: JsonObject;
    /** The call a person is asked about: a dialect whose message names it builds the message from it. */
    readonly tool?: ToolCall;
  };
}
export type EventName = keyof Facts;

/** How an event came about, where a product tells the ways apart. Interned strings: part of the plan's cache key. */
export interface Variants {
  afterTool: "ok" | "failed";
  beforeAgent: "user" | "retry";
}
export type VariantOf<E extends EventName> = E extends keyof Variants ? Variants[E] : never;

/** Ordered weakest to strongest; the strongest wins. `allow` skips a question and nothing else. */
export const RULINGS = ["allow", "ask", "deny", "endTurn", "endSession"] as const;
export type RulingKind = (typeof RULINGS)[number];
export interface Ruling {
  readonly kind: RulingKind;
  readonly reason: string | undefined;
}
export const strength = (ruling: Ruling | undefined): number => (ruling ? RULINGS.indexOf(ruling.kind) : -1);

/** A change of a tool's input in host words: laid over the arguments, or the whole of them. */
export type Change = { readonly how: "merge" | "whole"; readonly value: JsonObject };
export interface Slots {
  message: string;
  context: string;
  input: Change;
  result: Json;
  request: RequestPatch;
  response: ModelResponse;
  toolLimit: ToolLimit;
  tailCall: { readonly name: string; readonly input: JsonObject };
  clearContext: true;
  /** Keep this firing's input and output out of logs. */
  quiet: true;
  /** A denial said beside a stop: what it withholds stays withheld. */
  withhold: true;
}
export type SlotName = keyof Slots;

/** What hooks are shown of a moment and may change, as it was before any of them did. */
export interface Original {
  readonly input?: JsonObject;
  readonly request?: Lazy<ModelRequest>;
  readonly response?: Lazy<ModelResponse>;
  readonly result?: Json;
}

/** What one hook says, in neutral words. All absent: no opinion. */
export type Opinion = { readonly ruling?: Ruling } & { readonly [S in SlotName]?: Slots[S] };

/** A line for the user, and which entry said it. */
export interface Message {
  readonly text: string;
  readonly entry: string;
  readonly level: "info" | "warning";
}
/** Added context: `text` raw, `framed` as its dialect frames it for the model, and how long it lasts. */
export interface Context {
  readonly text: string;
  readonly framed: string;
  readonly lasts: "turn" | "history";
  readonly entry: string;
}
/** The loop ends. `withheld`: a hook denied as well, so the message, result or chunk stays out of history. */
export type Stop = { readonly action: "stop"; readonly ends: "turn" | "session"; readonly reason: string; readonly withheld: boolean };
type Note = { readonly context: readonly Context[] };
type Again = { readonly action: "retry"; readonly prompt: string; readonly clearContext: boolean };

/** What the host must do, per event; narrow on `action`. `undefined` always means "as it was". */
export interface Outcomes {
  sessionStart: { readonly action: "proceed" } & Note;
  sessionEnd: { readonly action: "proceed" };
  /** What a stop leaves of context is what stays in history with the prompt. */
  beforeAgent: ({ readonly action: "proceed" } & Note) | { readonly action: "discard"; readonly reason: string } | (Stop & Note);
  afterAgent: { readonly action: "proceed"; readonly clearContext?: true } | Again | (Stop & { readonly clearContext: boolean });
  beforeModel:
    | { readonly action: "proceed"; readonly request: RequestPatch | undefined }
    | { readonly action: "answer"; readonly response: ModelResponse }
    | { readonly action: "block"; readonly reason: string; readonly response: ModelResponse | undefined }
    | Stop;
  beforeToolSelection: { readonly action: "proceed"; readonly toolLimit: ToolLimit | undefined };
  afterModel:
    | { readonly action: "proceed"; readonly response: ModelResponse | undefined }
    | { readonly action: "discard"; readonly reason: string }
    | Stop;
  beforeTool:
    | ({
        readonly action: "proceed";
        readonly input: JsonObject | undefined;
        readonly question: "ask" | "skip" | undefined;
        readonly because: string | undefined;
      } & Note)
    | ({ readonly action: "block"; readonly reason: string } & Note)
    | (Stop & Note);
  permissionRequest:
    | { readonly action: "proceed" }
    | { readonly action: "grant"; readonly input: JsonObject | undefined }
    | { readonly action: "block"; readonly reason: string }
    | Stop;
  afterTool:
    | ({ readonly action: "proceed"; readonly result: Json | undefined; readonly tailCall: Slots["tailCall"] | undefined } & Note)
    | ({ readonly action: "hide"; readonly reason: string } & Note)
    | (Stop & Note);
  subagentStart: { readonly action: "proceed" } & Note;
  subagentStop: { readonly action: "proceed"; readonly clearContext?: true } | Again | Stop;
  beforeCompress: { readonly action: "proceed" } | { readonly action: "cancel"; readonly reason: string } | Stop;
  notification: { readonly action: "proceed" };
}
/**
 * What `fire` resolves to: the outcome, what to show the user, and the record of how it came about. Where nobody has subscribed to the engine, the
 * record is made when it is read for the first time, from the facts as they are then.
 */
export type Outcome<E extends EventName> = Outcomes[E] & { readonly messages: readonly Message[]; readonly record: FiringRecord };

/** The slots an event can honour. A dialect's row that reads another one does not compile. */
export interface EventSlots {
  sessionStart: "context";
  sessionEnd: never;
  beforeAgent: "context";
  afterAgent: "clearContext";
  beforeModel: "request" | "response";
  beforeToolSelection: "toolLimit";
  afterModel: "response";
  beforeTool: "input" | "context";
  permissionRequest: "input";
  afterTool: "result" | "context" | "tailCall";
  subagentStart: "context";
  subagentStop: "clearContext";
  beforeCompress: never;
  notification: never;
}
export type SlotOf<E extends EventName> = EventSlots[E] | "message" | "quiet";

export interface EventSpec<E extends EventName> {
  /** The one string a matcher can look at; with the event and the variant it is the plan's cache key. */
  readonly subject?: (facts: Facts[E]) => string;
  readonly variant?: (facts: Facts[E]) => VariantOf<E>;
  /** The tool call of the event, where there is one. */
  readonly tool?: (facts: Facts[E]) => ToolCall;
  /** What hooks may change here, where there is something. */
  readonly original?: (facts: Facts[E]) => Original;
  /** What the next hook of a sequential group sees. Absent: the same facts. */
  readonly thread?: (facts: Facts[E], said: Opinion) => Facts[E];
  /** Mid-stream: settings are not looked at again. */
  readonly midStream?: true;
}

const called = (facts: { readonly tool: ToolCall }): ToolCall => facts.tool;
const argumentsOf = ({ tool }: { readonly tool: ToolCall }): Original => ({ input: tool.input });
const toolName = (facts: { readonly tool: ToolCall }): string => facts.tool.name;
const rewritten = <F extends { readonly tool: ToolCall }>(facts: F, said: Opinion): F =>
  said.input ? { ...facts, tool: { ...facts.tool, input: applied(facts.tool.input, said.input) } } : facts;
export const applied = (input: JsonObject, change: Change): JsonObject =>
  change.how === "merge" ? { ...input, ...change.value } : change.value;

export const EVENTS: { readonly [E in EventName]: EventSpec<E> } = {
  sessionStart: { subject: (f) => f.source },
  sessionEnd: { subject: (f) => f.reason },
  beforeAgent: {
    variant: (f) => f.origin ?? "user",
    thread: (f, said) => (said.context === undefined ? f : { ...f, prompt: `${f.prompt}\n\n${said.context}` }),
  },
  afterAgent: {},
  beforeModel: {
    original: ({ request }) => ({ request }),
    thread: (f, said) => {
      const patch = said.request;
      return patch ? { ...f, request: () => patched(read(f.request), patch) } : f;
    },
  },
  beforeToolSelection: {},
  afterModel: {
    midStream: true,
    original: ({ response }) => ({ response }),
    thread: (f, said) => (said.response ? { ...f, response: said.response } : f),
  },
  beforeTool: { subject: toolName, tool: called, original: argumentsOf, thread: rewritten },
  permissionRequest: { subject: toolName, tool: called, original: argumentsOf, thread: rewritten },
  afterTool: {
    subject: toolName,
    tool: called,
    variant: (f) => (f.result.error ? "failed" : "ok"),
    original: (f) => ({ result: f.result.content }),
    thread: (f, said) => (said.result === undefined ? f : { ...f, result: { ...f.result, content: said.result } }),
  },
  subagentStart: { subject: (f) => f.agent.type },
  subagentStop: { subject: (f) => f.agent.type },
  beforeCompress: { subject: (f) => f.trigger },
  notification: { subject: (f) => f.type },
};
export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];
