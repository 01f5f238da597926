/**
 * The neutral tool vocabulary, and the translation of one call between two vocabularies.
 * A dialect and a host say in the same shape how they name each kind: N vocabularies need N tables. Unknown tools keep name and arguments.
 */
import { type Json, type JsonObject, sameJson } from "./json.ts";

export type ToolKind =
  | "shell"
  | "readFile"
  | "writeFile"
  | "editFile"
  | "listDirectory"
  | "findFiles"
  | "searchText"
  | "readManyFiles"
  | "fetchUrl"
  | "searchWeb"
  | "writeTodos"
  | "createTask"
  | "updateTask"
  | "readTask"
  | "listTasks"
  | "saveMemory"
  | "askUser"
  | "spawnAgent";

/** How one vocabulary speaks of one kind of tool. */
export interface ToolWord {
  readonly kind: ToolKind;
  readonly name: string;
  /** Older names: a matcher written for one of them still guards the tool. Several words may share one; a call by it means the first. */
  readonly aliases?: readonly string[];
  /** This vocabulary's argument name -> the neutral one. */
  readonly args: Readonly<Record<string, string>>;
  /** The argument that a condition such as `Bash(git push:*)` looks at. */
  readonly main?: string;
  /** For shapes that no renaming expresses (`offset`/`limit` against first and last line). */
  readonly lens?: { readonly toWords: (neutral: JsonObject) => JsonObject; readonly toNeutral: (words: JsonObject) => JsonObject };
}

export interface ToolWords {
  readonly tools: readonly ToolWord[];
  /** `mcp_a_b` or `mcp__a__b`: built from structure, never parsed from a name. */
  readonly mcpName: (server: string, tool: string) => string;
}

/** Where an MCP tool comes from; `connection` is what hooks may know of the server (command, args, cwd, url, tcp). */
export interface McpOrigin {
  readonly server: string;
  readonly tool: string;
  readonly connection?: JsonObject;
}

/** A call in the host's own words. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly callId?: string;
  readonly mcp?: McpOrigin;
  /** First requested name of a tail-call chain. */
  readonly tailOf?: string;
}

/** Host words <-> dialect words. When both sides are one table every function is the identity. */
export interface Translator {
  readonly toolName: (call: Pick<ToolCall, "name" | "mcp">) => string;
  /** The name and every alias: what a matcher is tested against (any hit counts). */
  readonly toolNames: (call: Pick<ToolCall, "name" | "mcp">) => readonly string[];
  /** The input in dialect words; `input` overrides the call's own. */
  readonly toolInput: (call: ToolCall, input?: JsonObject) => JsonObject;
  /** The value of the tool's main argument in dialect words, if it has one. */
  readonly mainArgument: (call: ToolCall) => MainArgument | undefined;
  readonly hostToolName: (wire: string) => string;
  /** A whole input in dialect words, laid over the host's. Host arguments this dialect has no word for are kept. */
  readonly hostInput: (call: ToolCall, wire: JsonObject) => JsonObject;
  /** Only the arguments named in `wire`, renamed. With the call's `input`, one that the host tells differently is told as a whole. */
  readonly hostPatch: (call: Pick<ToolCall, "name" | "mcp"> & Partial<Pick<ToolCall, "input">>, wire: JsonObject) => JsonObject;
}

/** `command`: a shell's text; `path`: a file or directory; `address`: one or more on the web, with blanks between. */
export interface MainArgument {
  readonly value: string;
  readonly means: "command" | "path" | "address" | "text";
}
/** What neutral arguments mean, where it is more than a text. */
const MEANINGS: Readonly<Record<string, MainArgument["means"]>> = {
  command: "command",
  file: "path",
  directory: "path",
  url: "address",
};

export function translator(host: ToolWords, dialect: ToolWords): Translator {
  const same = host === dialect;
  const hostWords = byName(host);
  const dialectWords = byName(dialect);
  const hostByKind = new Map(host.tools.map((word) => [word.kind, word]));
  const dialectByKind = new Map(dialect.tools.map((word) => [word.kind, word]));
  const pair = (call: Pick<ToolCall, "name" | "mcp">) => {
    const from = call.mcp ? undefined : hostWords.get(call.name);
    const to = from && dialectByKind.get(from.kind);
    return from && to ? { from, to } : undefined;
  };
  const toolName: Translator["toolName"] = (call) =>
    call.mcp ? dialect.mcpName(call.mcp.server, call.mcp.tool) : (pair(call)?.to.name ?? call.name);
  const toolInput: Translator["toolInput"] = (call, input = call.input) => {
    const words = same ? undefined : pair(call);
    return words ? carried(words.from, words.to, input) : input;
  };
  return {
    toolName,
    toolInput,
    toolNames: (call) => {
      const to = pair(call)?.to;
      const names = to ? [to.name, ...(to.aliases ?? [])] : [toolName(call)];
      // A host may call the tool by an older name: that name is matched too.
      return same && !names.includes(call.name) && !call.mcp ? [...names, call.name] : names;
    },
    mainArgument: (call) => {
      const to = pair(call)?.to;
      if (to?.main === undefined) return undefined;
      const input = toolInput(call);
      const value = Object.hasOwn(input, to.main) ? input[to.main] : undefined;
      return typeof value === "string" ? { value, means: MEANINGS[neutralName(to, to.main)] ?? "text" } : undefined;
    },
    hostToolName: (wire) => {
      const word = dialectWords.get(wire);
      return (word && hostByKind.get(word.kind)?.name) ?? wire;
    },
    hostInput: (call, wire) => {
      const words = same ? undefined : pair(call);
      if (!words) return wire;
      const spoken = new Set(Object.values(words.to.args));
      const kept = Object.entries(call.input).filter(([key]) => !spoken.has(neutralName(words.from, key)));
      const shown = toolInput(call);
      // What this dialect only tells (an address that stands inside the prompt) and gets back as told is no argument of the host's.
      const told = (key: string): boolean =>
        Object.hasOwn(shown, key) && Object.hasOwn(wire, key) && !Object.hasOwn(call.input, key) && sameJson(shown[key], wire[key]);
      const carriedBack = Object.entries(carried(words.to, words.from, wire)).filter(([key]) => !told(key));
      return Object.fromEntries([...kept, ...carriedBack]);
    },
    hostPatch: (call, wire) => {
      const words = same ? undefined : pair(call);
      if (!words) return wire;
      const { input } = call;
      if (input === undefined || (!words.from.lens && !words.to.lens)) return carried(words.to, words.from, wire);
      // A lens speaks of several arguments at once: what is changed is what differs once all of them are told.
      const whole = carried(words.to, words.from, { ...toolInput({ ...call, input }), ...wire });
      return Object.fromEntries(Object.entries(whole).filter(([key, value]) => !Object.hasOwn(input, key) || !sameJson(input[key], value)));
    },
  };
}

/** The value of a call's main argument in its own vocabulary (the command, the path), if it has one. */
export function mainArgument(words: ToolWords, call: Pick<ToolCall, "name" | "input" | "mcp">): string | undefined {
  const main = call.mcp ? undefined : byName(words).get(call.name)?.main;
  const value = main !== undefined && Object.hasOwn(call.input, main) ? call.input[main] : undefined;
  return typeof value === "string" ? value : undefined;
}

/**
 * A call's input between neutral words and one vocabulary's: what a host uses to run its tools. An argument that the vocabulary has no word
 * for keeps its name, unless that is the other side's name of one that it has: what hooks and rules look at is what the tool is given.
 */
export const toNeutral = (word: ToolWord, input: JsonObject): JsonObject => {
  const own = without(input, word.args);
  return word.lens ? word.lens.toNeutral(own) : renamed(own, word.args);
};
export const toWords = (word: ToolWord, input: JsonObject): JsonObject => {
  const back = Object.fromEntries(Object.entries(word.args).map(([wire, neutral]) => [neutral, wire]));
  const own = without(input, back);
  return word.lens ? word.lens.toWords(own) : renamed(own, back);
};
const without = (input: JsonObject, names: Readonly<Record<string, string>>): JsonObject => {
  const taken = new Set(Object.values(names));
  return Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(names, key) || !taken.has(key)));
};

/** What a tool is called now counts before what another was called once; of a shared older name the first word's meaning is left. */
const byName = (words: ToolWords): ReadonlyMap<string, ToolWord> =>
  new Map([
    ...words.tools.flatMap((word) => (word.aliases ?? []).map((name) => [name, word] as const)).reverse(),
    ...words.tools.map((word) => [word.name, word] as const),
  ]);
const neutralName = (word: ToolWord, key: string): string => (Object.hasOwn(word.args, key) ? (word.args[key] ?? key) : key);
const renamed = (object: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, Json] => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, value]),
  );

/** An argument the other side has no word for keeps the name it came with: never dropped, never a neutral name, never in another's place. */
function carried(from: ToolWord, to: ToolWord, input: JsonObject): JsonObject {
  const spoken = new Set(Object.values(to.args));
  const own = new Set(Object.values(from.args));
  // An argument of the tool that only the other side has a word for is known by its neutral name.
  const isShared = (key: string): boolean => spoken.has(neutralName(from, key)) && (Object.hasOwn(from.args, key) || !own.has(key));
  const entries = Object.entries(input);
  const told = toWords(to, toNeutral(from, Object.fromEntries(entries.filter(([key]) => isShared(key)))));
  return Object.fromEntries([...Object.entries(told), ...entries.filter(([key]) => !isShared(key) && !Object.hasOwn(told, key))]);
}
