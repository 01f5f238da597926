/** One question to the model, through the hooks, with connection retries: the streamed answer as one message. */
import type { Session, ToolLimit } from "@carabiner/engine";
import { type Chunk, joined, type Message, type Model, type ModelCall, type Part, pause, retryDelay } from "../models/index.ts";
import type { Tell } from "./events.ts";
import { CHUNKS, changedCall, requestOf } from "./words.ts";

export interface Asking {
  readonly session: Session;
  readonly model: Model;
  readonly tell: Tell;
  readonly promptId: string;
  readonly agent: string | undefined;
}
export interface Said {
  readonly message: Message;
  /** What the hooks let the model call in this answer. The loop holds to it whatever the provider did. */
  readonly toolLimit: ToolLimit | undefined;
  /** How the answer ended, in Gemini's words. */
  readonly finishReason: string | undefined;
}

/** Rejects with `Refused` when a hook blocks or stops, and with a `ModelError` when the model cannot answer. */
export async function askModel(asking: Asking, call: ModelCall, signal: AbortSignal): Promise<Said> {
  for (let attempt = 1; ; attempt++) {
    const heard: Chunk[] = [];
    try {
      return await askOnce(asking, call, signal, heard);
    } catch (error) {
      // What has been shown cannot be taken back: only a question nobody has heard a word of is asked again. Thoughts are no words.
      const waitMs = heard.every(isThought) && !signal.aborted ? retryDelay(error, attempt) : undefined;
      if (waitMs === undefined) throw error;
      asking.tell({ kind: "modelRetry", attempt, waitMs, why: error instanceof Error ? error.message : String(error) });
      await pause(waitMs, signal);
    }
  }
}

async function askOnce(
  { session, model, tell, promptId, agent }: Asking,
  call: ModelCall,
  signal: AbortSignal,
  heard: Chunk[],
): Promise<Said> {
  const began = performance.now();
  let toolLimit: ToolLimit | undefined;
  const stream = session.model(
    () => requestOf(call),
    (change) => {
      toolLimit = change.toolLimit;
      const changed = changedCall(call, change);
      tell({
        kind: "modelAsked",
        model: changed.model,
        promptId,
        messages: changed.messages,
        role: agent === undefined ? "main" : "subagent",
      });
      // Hooks after the model look at each chunk: a finish of its own would be one more, and nothing of what the model said.
      return model.stream(changed, signal, { finishWithContent: session.listens("afterModel") });
    },
    CHUNKS,
    { signal },
  );
  for await (const chunk of stream) {
    heard.push(chunk);
    for (const part of chunk.parts) if (part.type === "text") tell({ kind: part.thought ? "thought" : "text", text: part.text, agent });
  }
  const usage = heard.findLast((chunk) => chunk.usage)?.usage;
  tell({ kind: "modelAnswered", usage, durationMs: performance.now() - began });
  const parts: readonly Part[] = joined(heard.flatMap((chunk) => chunk.parts));
  return { message: { role: "model", parts }, toolLimit, finishReason: heard.findLast((chunk) => chunk.finishReason)?.finishReason };
}

const isThought = ({ parts }: Chunk): boolean => parts.every((part) => part.type === "text" && part.thought === true);
