/** Turns a rule's argument and a shell command into whether the rule speaks of it: of any part for a guard, of a given part for an allowance. */
import type { ArgumentTest } from "./policy.ts";
import { type ShellPart, shellParts } from "./shell-parts.ts";
import { wildcard } from "./wildcard.ts";

/** Deny and ask: one part is enough, seen through paths (`/usr/bin/git`), assignments and carriers. */
export function guardsShell(test: ArgumentTest, command: string): boolean {
  if (isWhole(test, command)) return true;
  return shellParts(command).parts.some((part) => {
    const [name = "", ...rest] = part.words;
    const plain = name.replace(/^.*\//, "");
    const forms = [part.words, [plain, ...rest], [...part.assignments, ...part.words]];
    return forms.some((words) => says(test, words));
  });
}

/**
 * Allow: the words as they stand. A part that writes to a file or sets variables (`LD_PRELOAD=x git log`) is only allowed as a whole
 * command. What a carrier runs must be allowed itself, unless the rule names it (`sudo apt`).
 */
export function allowsPart(test: ArgumentTest, part: ShellPart): boolean {
  if (part.writes || part.assignments.length > 0 || part.words.length === 0) return false;
  if (says(test, part.words)) return true;
  return (
    part.outer !== undefined &&
    says(test, part.outer) &&
    wordsOf(test.pattern)
      .slice(1)
      .includes(part.words[0] ?? "")
  );
}

/** Whether the test is for this very command, redirections and all. */
export const isWhole = (test: ArgumentTest, command: string): boolean => test.kind === "exact" && test.pattern.trim() === command.trim();

function says(test: ArgumentTest, words: readonly string[]): boolean {
  const text = words.join(" ");
  if (test.kind === "exact") return text === test.pattern.trim();
  // `git push *` speaks of a bare `git push` too.
  if (test.kind === "glob")
    return wildcard(test.pattern, text) || (test.pattern.endsWith(" *") && wildcard(test.pattern.slice(0, -2), text));
  const prefix = wordsOf(test.pattern);
  return prefix.length > 0 && prefix.every((word, i) => word === words[i]);
}

/** A prefix as words: the same quoting as in a command. */
function wordsOf(pattern: string): readonly string[] {
  const { complete, parts } = shellParts(pattern);
  const only = parts.filter((part) => part.outer === undefined);
  const first = only[0];
  return complete && only.length === 1 && first ? [...first.assignments, ...first.words] : pattern.trim().split(/\s+/);
}
