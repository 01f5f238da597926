/** What a turn that did not simply end says to people. Source: the study of Gemini CLI, 2.9, banner texts. */
import type { Ending } from "./agent-output.ts";

export function banner(ending: Ending): string | undefined {
  if (ending.kind === "error") return undefined;
  const { ended, reason } = ending.done;
  switch (ended) {
    case "stopped":
      return `Agent execution stopped: ${reason}`;
    case "blocked":
    case "discarded":
      return `Agent execution blocked: ${reason}`;
    case "retriesSpent":
      return `Agent execution blocked: ${reason} (no further try)`;
    case "answered":
      return undefined;
  }
}
