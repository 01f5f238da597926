/** Turns a row of a dialect into the words a script needs: where it writes which field, how it refuses, and what the tools are called. */
import type { AnyRow, Json, JsonObject, ToolKind } from "@carabiner/engine";
import type { StarterOrder } from "./starter.ts";

/** Stands in an output object for what the script puts there. */
export const HOLE = "\u0000";

export interface Words {
  /** `BeforeTool (Gemini CLI)`. */
  readonly event: string;
  readonly name: string;
  /** The variable that holds the project's directory. */
  readonly projectVariable: string;
  readonly settingsDir: string;
  /** The shell tool's argument that holds the command. */
  readonly commandArgument: string;
  /** Tools that change nothing. */
  readonly readingTools: readonly string[];
  /** What to print to refuse; `undefined`: exit 2 with the reason on stderr. HOLE is the reason. */
  readonly refusal: JsonObject | undefined;
  /** What to print to fill a slot; HOLE is the value. Throws for a slot the row does not read. */
  readonly output: (slot: "context" | "request" | "response" | "toolLimit", value?: Json) => JsonObject;
}

export function wordsOf({ dialect, wireName, row, name, settingsDir }: StarterOrder): Words {
  const own = Object.entries(dialect.environment);
  const named = dialect.specificOutputNamesEvent === "checked" ? wireName : undefined;
  return {
    event: `${wireName} (${dialect.title})`,
    name,
    projectVariable: own.find(([, holds]) => holds === "projectDir")?.[0] ?? "PWD",
    settingsDir,
    commandArgument: dialect.tools.tools.find(({ kind }) => kind === "shell")?.main ?? "command",
    readingTools: dialect.tools.tools.filter(({ kind }) => READING.includes(kind)).map((tool) => tool.name),
    refusal: row.exit2 === "deny" ? undefined : refusalOf(row, named),
    output: (slot, value = HOLE) => {
      const read = row.reads.find(({ fills }) => fills === slot);
      if (!read) throw new TypeError(`${wireName} reads no ${slot}.`);
      return withEvent(nested(read.at, value), named);
    },
  };
}

const READING: readonly ToolKind[] = ["readFile", "listDirectory", "findFiles", "searchText", "readManyFiles"];

/** The first field whose value can mean a denial, and its reason beside it. */
function refusalOf({ reads }: AnyRow, named: string | undefined): JsonObject | undefined {
  for (const read of reads) {
    if (read.fills !== "ruling" || read.expected !== "string") continue;
    const value = Object.entries(read.values).find(([, means]) => means === "deny")?.[0];
    const [reason] = read.reason;
    if (value !== undefined && reason !== undefined) return withEvent(merged(nested(read.at, value), nested(reason, HOLE)), named);
  }
  return undefined;
}

const nested = (path: string, value: Json): JsonObject =>
  path
    .split(".")
    .reverse()
    .reduce<JsonObject>((inner, key, i) => ({ [key]: i === 0 ? value : inner }), {});

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const joint = Object.entries(b).map(([key, value]): [string, Json] => {
    const before = a[key];
    return [key, isPlain(before) && isPlain(value) ? merged(before, value) : value];
  });
  return { ...a, ...Object.fromEntries(joint) };
}
const isPlain = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

function withEvent(output: JsonObject, named: string | undefined): JsonObject {
  const specific = output["hookSpecificOutput"];
  return named === undefined || !isPlain(specific) ? output : { ...output, hookSpecificOutput: { hookEventName: named, ...specific } };
}
