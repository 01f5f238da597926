/** Looks at an entry's `if` for one call: the tool, and the pattern on its main argument. */
import type { Dialect } from "../dialects/index.ts";
import { matches, type Refusal, toolOf } from "../firing/index.ts";
import type { Entry, EventName, Facts, Translator } from "../protocol/index.ts";

/** Without a tool call an `if` is never true. Source: the study of Qoder CN, section 3, `if`. */
export function conditionRefusal(
  entry: Entry,
  dialects: ReadonlyMap<string, Dialect>,
  translate: (dialect: Dialect) => Translator,
  event: EventName,
  facts: Facts[EventName],
): Refusal | undefined {
  const { condition } = entry;
  const dialect = entry.dialect === undefined ? undefined : dialects.get(entry.dialect);
  if (!condition || !dialect) return undefined;
  const text = condition.pattern === undefined ? condition.tool : `${condition.tool}(${condition.pattern})`;
  const refusal = (why: string): Refusal => ({ status: "conditionFalse", why: `its \`if\` ${text} is false: ${why}` });
  const call = toolOf(event, facts);
  if (!call) return refusal("the event has no tool call");
  const words = translate(dialect);
  if (matches("namesElseRegex", condition.tool, words.toolNames(call)) !== true) return refusal(`the tool is ${words.toolName(call)}`);
  return undefined;
}
