/** Turns an allow rule's argument and a part of a shell command into whether the rule lets that part run. */
import { fitsWords, patternWords, type ShellPart } from "@carabiner/engine";
import type { ArgumentTest } from "./policy.ts";

/**
 * The words as they stand. A part that writes to a file or sets variables (`LD_PRELOAD=x git log`) is only allowed as a whole
 * command. What a carrier runs must be allowed itself, unless the rule names it (`sudo apt`).
 */
export function allowsPart(test: ArgumentTest, part: ShellPart): boolean {
  if (part.writes || part.assignments.length > 0 || part.words.length === 0) return false;
  if (fitsWords(test, part.words)) return true;
  return (
    part.outer !== undefined &&
    fitsWords(test, part.outer) &&
    patternWords(test.pattern)
      .slice(1)
      .includes(part.words[0] ?? "")
  );
}
