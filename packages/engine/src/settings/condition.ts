/** Turns the text of an `if` into a Condition. */
import type { Condition } from "../protocol/index.ts";

/** `Tool` or `Tool(pattern)`; a text says what is wrong with it instead. Source: contracts/qoder-cn.md, "Configuration". */
export function readCondition(text: string): Condition | string {
  const parts = /^\s*([^()\s][^()]*?)\s*(\(([\s\S]*)\)\s*)?$/.exec(text);
  if (parts === null) return text.trim() === "" ? "it is empty" : "the parentheses are not those of Tool(pattern)";
  const [, tool = "", parenthesis, pattern] = parts;
  if (parenthesis !== undefined && pattern?.trim() === "") return "the parentheses are empty";
  return { tool, pattern };
}
