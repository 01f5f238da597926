/** Puts a change made on the text-only messages back onto a host's richer ones, which keep everything that is no text. */
import type { ModelMessage, RequestPatch } from "./model.ts";

/** How one host's message shows its text, takes another, and is made from text alone. */
export interface MessageCodec<M> {
  /** `undefined` or empty: the message has no text, hooks never saw it, and it is kept untouched. */
  readonly text: (message: M) => string | undefined;
  readonly withText: (message: M, text: string, role: ModelMessage["role"]) => M;
  readonly fromText: (text: string, role: ModelMessage["role"]) => M;
}

/** The messages hooks see: those that have text, in order. Source: the study of Gemini CLI, LLM-2. */
export function textMessages<M>(
  messages: readonly M[],
  codec: Pick<MessageCodec<M>, "text">,
  role: (message: M) => ModelMessage["role"],
): readonly ModelMessage[] {
  return messages.flatMap((message) => {
    const content = codec.text(message);
    return content ? [{ role: role(message), content }] : [];
  });
}

/** Positional merge: the n-th message of the patch is the n-th that has text; positions past the end are appended. Source: the study of Gemini CLI, LLM-8. */
export function applyMessages<M>(messages: readonly M[], patch: RequestPatch, codec: MessageCodec<M>): readonly M[] {
  const changes = new Map((patch.messages ?? []).map((message) => [message.at, message]));
  if (changes.size === 0) return messages;
  let seen = 0;
  const merged = messages.map((message) => {
    if (!codec.text(message)) return message;
    const change = changes.get(seen++);
    return change ? codec.withText(message, change.content, change.role) : message;
  });
  const added = [...changes.values()].filter(({ at }) => at >= seen).sort((a, b) => a.at - b.at);
  return [...merged, ...added.map(({ content, role }) => codec.fromText(content, role))];
}
