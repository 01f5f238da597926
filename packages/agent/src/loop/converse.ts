/** The heart of the agent: ask the model, run what it calls, until it calls nothing. The same for the main agent and for sub-agents. */
import { Refused } from "@carabiner/engine";
import { type ModelCall, ModelError, type ToolSchema } from "../models/index.ts";
import { type Asking, askModel, type Said } from "./ask-model.ts";
import { type Compressing, compress, isTooLong } from "./compress.ts";
import type { History } from "./history.ts";
import { whyIncomplete } from "./incomplete.ts";
import { runCalls, type Toolbox } from "./run-tools.ts";
import { textOf } from "./words.ts";

export interface Conversing {
  readonly asking: Asking;
  /** As it is now: the tools of servers come and go. */
  readonly box: () => Toolbox;
  readonly history: History;
  readonly compressing: Compressing;
  readonly system: string | undefined;
  readonly schemas: () => readonly ToolSchema[];
  /** Answers of the model in this turn; more than that rejects with `TurnsSpent`. */
  readonly maxTurns: number;
}

/** The model wanted to go on beyond the number of answers it was given. */
export class TurnsSpent extends Error {
  constructor(maxTurns: number) {
    super(
      `The agent used up its ${maxTurns} turn${maxTurns === 1 ? "" : "s"} without a final answer. --max-turns (or model.maxSessionTurns) allows more.`,
    );
    this.name = "TurnsSpent";
  }
}

/** Resolves to the final answer's text. Rejects with `Refused`, `TurnsSpent` or a `ModelError`; the history holds what has happened by then. */
export async function converse(conversing: Conversing, signal: AbortSignal): Promise<string> {
  const { asking, box, history, compressing } = conversing;
  let compressible = true;
  for (let turn = 1; ; turn++) {
    if (turn > conversing.maxTurns) throw new TurnsSpent(conversing.maxTurns);
    // What has failed once would fail with every answer of this turn.
    if (compressible && isTooLong(compressing)) compressible = (await compress(compressing, "auto", signal)) !== "failed";
    const { message, toolLimit, finishReason } = await askInWindow(conversing, signal);
    history.add(message);
    const calls = message.parts.filter((part) => part.type === "call");
    if (calls.length === 0) {
      const answer = textOf(message.parts);
      const text = whyIncomplete(finishReason, answer);
      if (text !== undefined) asking.tell({ kind: "notice", level: "warning", text });
      return answer;
    }
    const { parts, stop } = await runCalls(box(), calls, toolLimit, signal);
    history.add({ role: "user", parts });
    if (stop) throw new Refused("stopped", stop.ends, stop.reason);
    signal.throwIfAborted();
  }
}

/** The window may be smaller than we think, and more than the history fills it: a question that its model finds too long is made short once. */
async function askInWindow(conversing: Conversing, signal: AbortSignal): Promise<Said> {
  try {
    return await askModel(conversing.asking, callOf(conversing), signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "tooLong") throw error;
    if ((await compress(conversing.compressing, "auto", signal)) !== "done") throw error;
    return askModel(conversing.asking, callOf(conversing), signal);
  }
}

function callOf({ asking, history, system, schemas }: Conversing): ModelCall {
  return { model: asking.model.name, system, messages: history.asked(), tools: schemas(), config: {} };
}
