/** Turns the argument of a rule and a plain text into whether the rule speaks of it. */
import { wildcard } from "@carabiner/engine";
import type { ArgumentTest } from "./policy.ts";

/** A beginning ends at a word: `drop` is none of `dropped`. */
export function saysOfText({ kind, pattern }: ArgumentTest, value: string): boolean {
  if (kind === "exact") return pattern === value;
  if (kind === "glob") return wildcard(pattern, value);
  return value.startsWith(pattern) && (pattern === "" || /[\s/]$/.test(pattern) || !/^[\w.@:-]/.test(value.slice(pattern.length)));
}
