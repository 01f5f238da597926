/** Turns what a hook printed into what the real Gemini CLI binary makes of it: the ground that divergences are judged on. Source: the study of the binary, 2.2. */
import { isObject, type Json, type JsonObject, type Scope, type Story } from "../protocol/index.ts";

type Entry = Story["entries"][number];
/** An entry of this dialect that was run. */
export type Ran = Entry & { readonly run: NonNullable<Entry["run"]> };

/** The binary's order of layers: system defaults, user, project, system, extensions. Source: CFG-6. */
const BINARY_ORDER: Readonly<Partial<Record<Scope, number>>> = { systemDefaults: 0, user: 1, project: 2, system: 3, extension: 4 };
export const binaryRank = ({ scope }: Entry): number => BINARY_ORDER[scope] ?? -1;

/** Command hooks of this dialect that ran, in our order. */
export const ranIn = ({ ran }: Story): readonly Ran[] => ran.filter(({ dialect }) => dialect === "gemini");
/** The same in the order in which the binary would have them. */
export const inBinaryOrder = (ran: readonly Ran[]): readonly Ran[] => ran.toSorted((a, b) => binaryRank(a) - binaryRank(b));

/** What the binary reads: stdout if anything is on it, else stderr. A quiet firing's record holds neither. */
const readText = ({ run }: Ran): string => {
  const stdout = (run.stdout ?? "").trim();
  return stdout === "" ? (run.stderr ?? "").trim() : stdout;
};
/** Only a process that came to its own end is read. */
const isRead = ({ run }: Ran): boolean => run.ended === "exited" || run.ended === "signalled";

/** The JSON object the binary finds, whatever the exit code. */
export const binaryJson = (ran: Ran): JsonObject | undefined => (isRead(ran) ? printedBy(ran).json : undefined);
/** The text the binary finds where it finds no JSON. */
export const binaryText = (ran: Ran): string | undefined => (isRead(ran) ? printedBy(ran).text : undefined);

interface Printed {
  readonly json: JsonObject | undefined;
  readonly text: string | undefined;
}
/** Every divergence asks the same of the same few runs. */
const printedByRun = new WeakMap<Ran["run"], Printed>();
function printedBy(ran: Ran): Printed {
  const known = printedByRun.get(ran.run);
  if (known) return known;
  const printed = read(readText(ran));
  printedByRun.set(ran.run, printed);
  return printed;
}
function read(text: string): Printed {
  if (text === "") return { json: undefined, text: undefined };
  const value = parsed(text);
  const inner = typeof value === "string" ? parsed(value) : value;
  return { json: isObject(inner) ? inner : undefined, text: value === undefined ? text : undefined };
}

/** The output object the binary works with: JSON as it is, text by exit code. Source: the table of 2.2. */
export function binaryOutput(ran: Ran): JsonObject | undefined {
  const json = binaryJson(ran);
  if (json) return json;
  const text = binaryText(ran);
  if (text === undefined) return undefined;
  const { run } = ran;
  if (run.ended === "signalled" || run.exitCode === 0) return { decision: "allow", systemMessage: text };
  return run.exitCode === 1 ? { decision: "allow", systemMessage: `Warning: ${text}` } : { decision: "deny", reason: text };
}

/** `hookSpecificOutput.<key>` of an output. */
export function specific(output: JsonObject | undefined, key: string): Json | undefined {
  const inside = output && Object.hasOwn(output, "hookSpecificOutput") ? output["hookSpecificOutput"] : undefined;
  return isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // text that is no JSON
  }
}
