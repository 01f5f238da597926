/** Makes a history that outgrew the model's window short: hooks are told, the model writes a summary, the newest part is kept. */
import type { Session } from "@carabiner/engine";
import { answerOf, type Message, type Model, ModelError, pause, retryDelay } from "../models/index.ts";
import {
  compressionPrompt,
  estimateTokens,
  shouldCompress,
  splitForCompression,
  summaryMessages,
  type Transcript,
} from "../sessions/index.ts";
import type { Tell } from "./events.ts";
import { contextParts, type History } from "./history.ts";
import { textOf } from "./words.ts";

export interface Compressing {
  readonly session: Session;
  readonly model: Model;
  readonly history: History;
  readonly transcript: Transcript;
  readonly tell: Tell;
  /** The part of the window a history may fill before it is compressed: 0 to 1. */
  readonly threshold: number;
  /** Aborted when the agent ends: hooks that nothing waits for end then. */
  readonly closing: AbortSignal;
  /** Takes over hooks that compression does not wait for. */
  readonly later: (pending: Promise<unknown>) => void;
}

/** `nothing`: there was nothing to make shorter; `cancelled`: a hook kept it from happening; `failed`: no summary, which only a manual one rejects for. */
export type Compressed = "nothing" | "cancelled" | "failed" | "done";

export function isTooLong({ history, model, threshold }: Compressing): boolean {
  return shouldCompress(estimateTokens(history.messages()), model.contextWindow, threshold);
}

export async function compress(
  compressing: Compressing,
  trigger: "auto" | "manual",
  signal: AbortSignal,
  instructions?: string,
): Promise<Compressed> {
  const { session, model, history, tell } = compressing;
  const { older, kept, keptFrom } = splitForCompression(history.messages());
  if (older.length === 0) return "nothing";
  const facts = { trigger, ...(instructions === undefined ? {} : { instructions }) };
  if (session.mayRefuse("beforeCompress", facts)) {
    const outcome = await session.fire("beforeCompress", facts, { signal });
    if (outcome.action === "cancel")
      tell({ kind: "notice", level: "warning", text: `A hook kept the history from being compressed: ${outcome.reason}` });
    if (outcome.action !== "proceed") return "cancelled";
  } else compressing.later(session.fire("beforeCompress", facts, { signal: compressing.closing }));
  let summary: string;
  try {
    summary = await summarised(model, older, tell, signal, instructions);
  } catch (error) {
    // What somebody asked for fails as it fails; what nobody asked for must not cost the turn.
    if (trigger === "manual" || signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    tell({
      kind: "notice",
      level: "warning",
      text: `The history could not be compressed: ${why.replace(/\.?$/, ".")} The turn goes on with all of it.`,
    });
    return "failed";
  }
  const next = summaryMessages(summary, kept);
  const [from, to] = [estimateTokens(history.messages()), estimateTokens(next)];
  history.replace(next);
  compressing.transcript.compress(summary, keptFrom);
  tell({ kind: "compressed", from, to, keptMessages: kept.length });
  const { context } = await session.fire("sessionStart", { source: "compact", model: model.name }, { signal });
  if (context.length > 0) history.add({ role: "user", parts: contextParts(context) });
  return "done";
}

/** No hooks here: what the agent asks for itself is no turn of the user's. Source: the study of Gemini CLI, 2.6. */
async function summarised(
  model: Model,
  older: readonly Message[],
  tell: Tell,
  signal: AbortSignal,
  instructions: string | undefined,
): Promise<string> {
  const { system, messages } = compressionPrompt(older, instructions);
  tell({ kind: "modelAsked", model: model.name, promptId: "compression", messages, role: "utility" });
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await answerOf(model, { model: model.name, system, messages, tools: [], config: {} }, signal);
      const summary = textOf(answer.parts).trim();
      if (summary === "") throw new ModelError("badRequest", "The model gave no summary of the history.");
      return summary;
    } catch (error) {
      const waitMs = signal.aborted ? undefined : retryDelay(error, attempt);
      if (waitMs === undefined) throw error;
      tell({ kind: "modelRetry", attempt, waitMs, why: error instanceof Error ? error.message : String(error) });
      await pause(waitMs, signal);
    }
  }
}
