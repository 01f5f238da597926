/** Turns a question into one whole answer, for questions whose stream nobody watches. */
import type { Chunk, Model, ModelCall, Part, Usage } from "./model.ts";

/** The whole answer as one chunk: deltas of the same kind side by side become one part. Rejects as `Model.stream` does. */
export async function answerOf(model: Model, call: ModelCall, signal: AbortSignal): Promise<Chunk> {
  if (model.generate) return model.generate(call, signal);
  const parts: Part[] = [];
  let finishReason: string | undefined;
  let usage: Usage | undefined;
  for await (const chunk of model.stream(call, signal)) {
    parts.push(...chunk.parts);
    finishReason = chunk.finishReason ?? finishReason;
    usage = chunk.usage ?? usage;
  }
  return { parts: joined(parts), ...(finishReason === undefined ? {} : { finishReason }), ...(usage ? { usage } : {}) };
}

/**
 * Deltas as whole parts: neighbouring texts, and neighbouring thoughts, become one. Metadata closes a part, because a provider signs
 * what came before the signature, and a signed part must go back as it was.
 */
export function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (part.type === "text" && last?.type === "text" && last.thought === part.thought && last.metadata === undefined) {
      whole[whole.length - 1] = { ...part, text: last.text + part.text };
    } else whole.push(part);
  }
  return whole;
}
