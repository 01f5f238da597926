/** Turns one line of a transcript into an event, and an event into a line: the file format of sessions on disk. */
import type { Json, JsonObject } from "@carabiner/engine";
import * as z from "zod";
import type { Message } from "../models/index.ts";
import { taskSchema } from "../tasks/index.ts";

/** Kept as parsed: a schema that copies would lose keys such as `__proto__`. */
const json = z.custom<Json>((value) => value !== undefined);
const object = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), thought: z.exactOptional(z.literal(true)), metadata: z.exactOptional(object) }),
  z.object({ type: z.literal("call"), id: z.string(), name: z.string(), input: object, metadata: z.exactOptional(object) }),
  z.object({ type: z.literal("result"), id: z.string(), name: z.string(), output: json, isError: z.boolean() }),
  z.object({ type: z.literal("media"), mimeType: z.string(), data: z.string() }),
]);
const message: z.ZodType<Message> = z.object({ role: z.enum(["user", "model"]), parts: z.array(part) });

const schema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    version: z.literal(1),
    id: z.string(),
    cwd: z.string(),
    startedAt: z.string(),
    model: z.string(),
  }),
  z.object({ type: z.literal("message"), at: z.string(), message }),
  z.object({ type: z.literal("task"), at: z.string(), task: taskSchema }),
  z.object({ type: z.literal("clear"), at: z.string(), newId: z.string() }),
  z.object({ type: z.literal("compression"), at: z.string(), summary: z.string(), keptFrom: z.int().check(z.nonnegative()) }),
]);

/**
 * The closed list of what a transcript says, one JSON object a line. Times are ISO 8601 in UTC.
 * `session` is the first line. `message` adds to the history. `task` is a task of the list as it has become, deleted ones too. `clear`
 * empties the history, and the session goes on under `newId`; where that is a new one, the list of tasks is empty too. `compression` puts
 * a summary in place of the messages before the history's index `keptFrom`.
 */
export type SessionEvent = z.infer<typeof schema>;

/** One line, with its line end. */
export const lineOf = (event: SessionEvent): string => `${JSON.stringify(event)}\n`;

export type ReadLine = { readonly ok: true; readonly event: SessionEvent } | { readonly ok: false; readonly what: string };

/** `what` completes the sentence "Line 3 ...". */
export function eventOf(line: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { ok: false, what: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, event: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, what: `is no event of version 1 (${issue?.path.join(".") || "type"}: ${issue?.message ?? "unknown"})` };
}
