/** Turns bash text into the same text with the dialect's own variables in double quotes wherever they stood outside quotes. */
import { findUnquoted } from "./bash-text.ts";

/**
 * `$NAME`, `${NAME}` and `${NAME<operator>}` of `variables` become `"$NAME"` and so on, so that bash takes their values from the
 * environment as one word, whatever is in them: a value never becomes part of the text. Inside quotes, in comments and in here-documents
 * nothing changes, and every other `$NAME` is the shell's; the commands inside `$(...)` and backticks begin outside quotes again.
 * Text that cannot be followed to its end (an open quote, unbalanced parentheses) is returned as it is: bash will refuse it.
 * Source: contracts/gemini.md, "Running".
 */
export function quoteOwnVariables(command: string, variables: readonly string[]): string {
  if (!variables.some((name) => command.includes(name))) return command;
  let text = "";
  let at = 0;
  for (const { from, to } of findUnquoted(command, new Set(variables)) ?? []) {
    text += `${command.slice(at, from)}"${command.slice(from, to)}"`;
    at = to;
  }
  return text + command.slice(at);
}
