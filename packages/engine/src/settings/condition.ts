/** Turns the text of an `if` into a Condition. */
import type { Condition } from "../protocol/index.ts";

/** `Tool` or `Tool(pattern)`, the tool as in a matcher; a text says what is wrong with it instead. Source: contracts/qoder-cn.md, "Configuration". */
export function readCondition(text: string): Condition | string {
  const parts = /^\s*([^()\s][^()]*?)\s*(\(([\s\S]*)\)\s*)?$/.exec(text);
  if (parts === null) return text.trim() === "" ? "it is empty" : "the parentheses are not those of Tool(pattern)";
  const [, tool = "", parenthesis, pattern] = parts;
  if (parenthesis !== undefined && pattern?.trim() === "") return "the parentheses are empty";
  const message = tool === "*" ? undefined : regexError(tool);
  return message === undefined ? { tool, pattern } : `its tool is no valid regular expression: ${message}`;
}

/** A list of names is a valid expression, too. */
function regexError(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
