/** Turns a row into the type of what its hooks read on stdin, as JSDoc and as TypeScript. */
import { type AnyRow, type Dialect, isObject, type Json, stdinObject } from "@carabiner/engine";

/** One field of stdin; `optional`: not every event has it. */
interface Field {
  readonly key: string;
  readonly type: string;
  readonly optional: boolean;
}

export function jsDocType(fields: readonly Field[], wireName: string): string {
  return [
    "/**",
    ` * What ${wireName} hooks read on stdin.`,
    " * @typedef {object} HookInput",
    ...fields.map(({ key, type, optional }) => ` * @property {${type}} ${optional ? `[${key}]` : key}`),
    " */",
  ].join("\n");
}

export function tsType(fields: readonly Field[], wireName: string): string {
  return [
    `/** What ${wireName} hooks read on stdin. */`,
    "interface HookInput {",
    ...fields.map(({ key, type, optional }) => `  ${key}${optional ? "?" : ""}: ${type};`),
    "}",
  ].join("\n");
}

/** The field of stdin that a matcher of this event looks at; `undefined`: it is about a tool, or there is nothing to match. */
export function subjectField({
  dialect,
  wireName,
  row,
}: {
  readonly dialect: Dialect;
  readonly wireName: string;
  readonly row: AnyRow;
}): string | undefined {
  const sample = stdinObject(dialect, row, row.example, plainSpeaker(wireName));
  return Object.keys(row.stdin).find((key) => sample[key] === SUBJECT);
}

const SUBJECT = "\u0000subject";

/** In wire order. Types are those of the row's example; fields whose shape depends on the tool are open. */
export function inputFields(dialect: Dialect, row: AnyRow, wireName: string): readonly Field[] {
  const sample = stdinObject(dialect, row, row.example, plainSpeaker(wireName));
  // An event may have for certain what others have at times.
  return [...new Set([...Object.keys(dialect.stdin), ...Object.keys(row.stdin)])].map((key) => {
    const value = Object.hasOwn(sample, key) ? sample[key] : undefined;
    return { key, type: OPEN[key] ?? (value === undefined ? "unknown" : typeOf(value)), optional: value === undefined };
  });
}

const OPEN: Readonly<Record<string, string>> = {
  tool_input: "Record<string, unknown>",
  tool_response: "unknown",
  details: "Record<string, unknown>",
  mcp_context: "Record<string, unknown>",
  agent_id: "string",
  agent_type: "string",
  tool_use_id: "string",
  original_request_name: "string",
};

function typeOf(value: Json): string {
  if (Array.isArray(value)) {
    const [first]: readonly Json[] = value;
    const type = first === undefined ? "unknown" : typeOf(first);
    return /^\w+$/.test(type) ? `${type}[]` : `Array<${type}>`;
  }
  if (!isObject(value)) return value === null ? "unknown" : typeof value;
  const entries = Object.entries(value);
  return entries.length === 0 ? "Record<string, unknown>" : `{ ${entries.map(([key, inner]) => `${key}: ${typeOf(inner)}`).join(", ")} }`;
}

/** Nobody is translated for: the sample is in the dialect's own words already. */
function plainSpeaker(wireName: string): Parameters<typeof stdinObject>[3] {
  return {
    toolName: ({ name }) => name,
    toolNames: ({ name }) => [name],
    toolInput: (call, input) => input ?? call.input,
    mainArgument: () => undefined,
    hostToolName: (wire) => wire,
    hostInput: (_, wire) => wire,
    hostPatch: (_, wire) => wire,
    session: {
      id: "",
      cwd: "",
      projectDir: "",
      transcriptPath: "",
      plansDir: "",
      permissionMode: "default",
      agent: undefined,
      firedAt: "",
    },
    wireName,
    subject: SUBJECT,
  };
}
