/** Turns the host's facts into what one dialect's hooks read: the stdin object, in wire order and in that dialect's words. */
import type { AnyRow, Cell, Dialect, SessionWords, Speaker } from "../dialects/index.ts";
import { EVENTS, type EventName, type Facts, type Json, type JsonObject, type ToolCall, type Translator } from "../protocol/index.ts";

/** The event's subject in a dialect's words, aliases last; `undefined`: this dialect has no word for it. */
export function subjectsOf(row: AnyRow, event: EventName, facts: Facts[EventName], translator: Translator): readonly string[] | undefined {
  const call = toolOf(event, facts);
  if (call) return translator.toolNames(call);
  const subject = subjectOf(event, facts) ?? "";
  const words = row.matcher.words;
  if (!words || !Object.hasOwn(words, subject)) return [subject];
  const known = words[subject];
  return known && known.length > 0 ? known : undefined;
}

export function speaker(
  dialect: Dialect,
  row: AnyRow,
  wireName: string,
  event: EventName,
  facts: Facts[EventName],
  translator: Translator,
  session: SessionWords,
): Speaker {
  const mode = session.permissionMode;
  const permissionMode = Object.hasOwn(dialect.permissionModes, mode) ? (dialect.permissionModes[mode] ?? mode) : mode;
  return {
    ...translator,
    session: { ...session, permissionMode },
    wireName,
    subject: subjectsOf(row, event, facts, translator)?.[0] ?? "",
  };
}

/** Common fields first, then the event's own; `undefined` leaves a key out. */
export function stdinObject(dialect: Dialect, row: AnyRow, facts: Facts[EventName], say: Speaker): JsonObject {
  const object: Record<string, Json> = {};
  for (const cells of [dialect.stdin, row.stdin as Readonly<Record<string, Cell<EventName>>>]) {
    for (const [key, cell] of Object.entries(cells)) {
      const value = cell(facts, say);
      if (value !== undefined) object[key] = value;
    }
  }
  return object;
}

/** The typed table keeps event and facts together; here only the pair as a whole is known to fit. */
export const subjectOf = (event: EventName, facts: Facts[EventName]): string | undefined =>
  (EVENTS[event].subject as ((facts: Facts[EventName]) => string) | undefined)?.(facts);
export const variantOf = (event: EventName, facts: Facts[EventName]): string | undefined =>
  (EVENTS[event].variant as ((facts: Facts[EventName]) => string) | undefined)?.(facts);
export const toolOf = (event: EventName, facts: Facts[EventName]): ToolCall | undefined =>
  (EVENTS[event].tool as ((facts: Facts[EventName]) => ToolCall) | undefined)?.(facts);
