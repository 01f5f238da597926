/** The bracket around one prompt of the user: before the agent, the turn, after the agent, and its bounded retries. */
import { type Context, type Message, problem, type RunRecord } from "../protocol/index.ts";
import { Refused } from "./model.ts";
import type { EngineEvent, Firing } from "./options.ts";

/** What the turn's code is told beside the prompt of this try: the context hooks added, and whether it is a retry. */
export interface Try {
  readonly context: readonly Context[];
  readonly retrying: boolean;
}
/** Runs the agent on one prompt and resolves to its final answer. `Refused`, thrown out of it, ends the turn without the after-agent event. */
export type RunTurn = (prompt: string, tried: Try) => Promise<string>;
export interface TurnOptions {
  /** Clears the host's history: a hook that asks for another try may ask for that too. */
  readonly clear?: () => void | Promise<void>;
  readonly signal?: AbortSignal;
}
/**
 * `discarded`: a hook refused the prompt, which must not enter history; `stopped`: a hook ended the turn or the session;
 * `blocked`: a model call was refused; `retriesSpent`: hooks asked for more tries than allowed, and the last answer stands.
 */
export interface TurnDone {
  readonly ended: "answered" | "discarded" | "stopped" | "blocked" | "retriesSpent";
  readonly answer: string | undefined;
  readonly reason: string | undefined;
  readonly ends: "turn" | "session" | undefined;
  /** May the prompt of the last try stay in history? */
  readonly keepsPrompt: boolean;
  /**
   * A prompt, the user's or a retry's, that a stop kept from `run` and that stays in history all the same, with the context that stays with it: the host
   * puts it there. Source: the Gemini contract, "Events", BeforeAgent.
   */
  readonly unheard: { readonly prompt: string; readonly context: readonly Context[] } | undefined;
  readonly tries: number;
  readonly messages: readonly Message[];
}
export interface TurnWorld {
  readonly firing: Firing;
  readonly maxRetries: () => number;
  readonly emit: (event: EngineEvent) => void;
  /** The identifier of an entry, as people know it. */
  readonly nameOf: (entry: string) => string;
}

/** Rejects with what `run` rejects with, `Refused` excepted. Source: the Gemini contract, "Events", BeforeAgent and AfterAgent. */
export async function runTurn(world: TurnWorld, prompt: string, run: RunTurn, options: TurnOptions = {}): Promise<TurnDone> {
  const signal = options.signal ? { signal: options.signal } : {};
  const messages: Message[] = [];
  let asked = prompt;
  for (let tries = 1; ; tries++) {
    const end = (how: Partial<TurnDone> & Pick<TurnDone, "ended">): TurnDone => ({
      answer: undefined,
      reason: undefined,
      ends: undefined,
      keepsPrompt: true,
      unheard: undefined,
      tries,
      messages,
      ...how,
    });
    const retrying = tries > 1;
    const before = await world.firing.fire("beforeAgent", { prompt: asked, origin: retrying ? "retry" : "user" }, signal);
    messages.push(...before.messages);
    if (before.action === "discard") return end({ ended: "discarded", reason: before.reason, keepsPrompt: false });
    if (before.action === "stop") {
      const unheard = before.withheld ? undefined : { prompt: asked, context: before.context };
      return end({ ended: "stopped", reason: before.reason, ends: before.ends, keepsPrompt: !before.withheld, unheard });
    }
    const answer = await answered(run, asked, { context: before.context, retrying });
    if (answer instanceof Refused) return end({ ended: answer.how, reason: answer.reason, ends: answer.ends });
    const after = await world.firing.fire("afterAgent", { prompt, response: answer, retrying }, signal);
    messages.push(...after.messages);
    if (after.clearContext) await options.clear?.();
    if (after.action === "proceed") return end({ ended: "answered", answer });
    if (after.action === "stop") return end({ ended: "stopped", answer, reason: after.reason, ends: after.ends });
    const max = world.maxRetries();
    if (tries > max) {
      const by = after.record.kind === "fired" ? denier(after.record.runs, after.record.verdict.because) : "unknown";
      world.emit({ kind: "problem", problem: problem("RETRIES_SPENT", { entry: by }, { max, by: world.nameOf(by) }, world.nameOf(by)) });
      return end({ ended: "retriesSpent", answer, reason: after.prompt });
    }
    asked = after.prompt;
  }
}

const denier = (runs: readonly RunRecord[], because: readonly string[]): string => because[0] ?? runs[0]?.entry ?? "unknown";
async function answered(run: RunTurn, prompt: string, tried: Try): Promise<string | Refused> {
  try {
    return await run(prompt, tried);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
