/** Looks at an entry's `if` for one call: with the words of its dialect, and where the session is. */
import type { Dialect } from "../dialects/index.ts";
import { type ConditionPlace, type Refusal, toolOf, whyNot } from "../firing/index.ts";
import type { Entry, EventName, Facts, Translator } from "../protocol/index.ts";

/** Without a tool call an `if` is never true. Source: the study of Qoder CN, section 3, `if`. */
export function conditionRefusal(
  entry: Entry,
  dialects: ReadonlyMap<string, Dialect>,
  translate: (dialect: Dialect) => Translator,
  event: EventName,
  facts: Facts[EventName],
  place: ConditionPlace,
): Refusal | undefined {
  const { condition } = entry;
  const dialect = entry.dialect === undefined ? undefined : dialects.get(entry.dialect);
  const row = dialect?.rows[entry.wireName];
  if (!condition || !dialect || !row) return undefined;
  const call = toolOf(event, facts);
  const why = call ? whyNot(condition, row.matcher.as, call, translate(dialect), place) : "the event has no tool call";
  if (why === undefined) return undefined;
  const text = condition.pattern === undefined ? condition.tool : `${condition.tool}(${condition.pattern})`;
  return { status: "conditionFalse", why: `its \`if\` ${text} is false: ${why}` };
}
