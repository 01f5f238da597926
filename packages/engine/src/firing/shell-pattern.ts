/** Turns a pattern on a shell command and the command into whether the pattern speaks of it: of any part of it, seen through whatever carries it. */
import { shellParts } from "./shell-parts.ts";
import { wildcard } from "./wildcard.ts";

/** `prefix` ends at the end of a word; in `glob` a `*` stands for any text; `exact` is the whole of a command. */
export interface ShellPattern {
  readonly pattern: string;
  readonly kind: "prefix" | "glob" | "exact";
}

/** For guards: one part is enough, seen through paths (`/usr/bin/git`), assignments and carriers (`sudo`, `bash -c`). */
export function guardsShell(test: ShellPattern, command: string): boolean {
  if (isWholeCommand(test, command)) return true;
  return shellParts(command).parts.some((part) => {
    const [name = "", ...rest] = part.words;
    const plain = name.replace(/^.*\//, "");
    const forms = [part.words, [plain, ...rest], [...part.assignments, ...part.words]];
    return forms.some((words) => fitsWords(test, words));
  });
}

/** Whether the test is for this very command, redirections and all. */
export const isWholeCommand = (test: ShellPattern, command: string): boolean =>
  test.kind === "exact" && test.pattern.trim() === command.trim();

/** Whether the test speaks of one simple command, given as its words. */
export function fitsWords(test: ShellPattern, words: readonly string[]): boolean {
  const text = words.join(" ");
  if (test.kind === "exact") return text === test.pattern.trim();
  // `git push *` speaks of a bare `git push` too.
  if (test.kind === "glob")
    return wildcard(test.pattern, text) || (test.pattern.endsWith(" *") && wildcard(test.pattern.slice(0, -2), text));
  const prefix = patternWords(test.pattern);
  return prefix.length > 0 && prefix.every((word, i) => word === words[i]);
}

/** A prefix as words: the same quoting as in a command. */
export function patternWords(pattern: string): readonly string[] {
  const { complete, parts } = shellParts(pattern);
  const only = parts.filter((part) => part.outer === undefined);
  const first = only[0];
  return complete && only.length === 1 && first ? [...first.assignments, ...first.words] : pattern.trim().split(/\s+/);
}
