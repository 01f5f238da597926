/** What an output format does with what the agent tells; the three formats are consumers of one stream of events. */
import type { AgentEvent } from "@carabiner/agent";
import type { TurnDone } from "@carabiner/engine";

/** How a run ended: the turn, or the error that ended it. */
export type Ending =
  | { readonly kind: "done"; readonly done: TurnDone }
  | { readonly kind: "error"; readonly type: string; readonly message: string; readonly code: number };

export interface AgentOutput {
  readonly hear: (event: AgentEvent) => void;
  /** The prompt as the user gave it. */
  readonly begin: (prompt: string) => void;
  readonly end: (ending: Ending) => void;
}
