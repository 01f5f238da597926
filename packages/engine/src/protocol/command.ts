/** Turns what an entry runs into the line a person would type for it. */
import type { Entry } from "./flow.ts";

/** A word that a shell, or a reader, would take for something else stands in quotes. A function has no command. */
export function commandOf({ run }: Pick<Entry, "run">): string | undefined {
  if (run.kind === "shell") return run.command;
  return run.kind === "exec"
    ? [run.file, ...run.args].map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")
    : undefined;
}
