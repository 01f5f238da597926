/** Turns the text of one line into a journal line, or into what is wrong with it. */
import * as z from "zod/mini";
import { isObject, type JournalLine, type JsonObject, journalLineSchema, RECORD_VERSION } from "../protocol/index.ts";

export type Checked = { readonly line: JournalLine } | { readonly fault: string };

/** Unknown keys are kept: a later version may add some without becoming unreadable. */
export function checkLine(text: string): Checked {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "it is not JSON" };
  }
  if (!isObject(value)) return { fault: "it is not an object" };
  const { version } = value;
  if (typeof version === "number" && version > RECORD_VERSION)
    return { fault: `it is of version ${version}, and ${RECORD_VERSION} is known here` };
  const { error } = z.safeParse(journalLineSchema, withoutFreeJson(value));
  if (error) {
    const issue = error.issues[0];
    return { fault: `${issue?.path.join(".") || "the line"}: ${issue?.message ?? "not as expected"}` };
  }
  return isLine(value) ? { line: value } : { fault: "it is not as expected" };
}

/** What came from JSON.parse is JSON, however large: where any JSON may stand, the schema need not look through it. */
function withoutFreeJson(line: JsonObject): JsonObject {
  const { runs, run } = line;
  return {
    ...line,
    ...emptied(line, ["facts", "outcome"]),
    ...(Array.isArray(runs) ? { runs: runs.map(runWithout) } : {}),
    ...(run === undefined ? {} : { run: runWithout(run) }),
  };
}
const runWithout = (run: unknown): JsonObject => (isObject(run) ? { ...run, ...emptied(run, ["stdin", "output", "opinion"]) } : {});
function emptied(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => isObject(object[key])).map((key) => [key, {}]));
}

/** The schema has looked at everything but free JSON. */
const isLine = (value: object): value is JournalLine => "kind" in value;
