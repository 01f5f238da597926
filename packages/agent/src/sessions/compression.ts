/** Turns a long history into the part to summarise and the part to keep, and a summary with the kept part into a history again. */
import type { Message } from "../models/index.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** Whether the history takes `threshold` of the window or more (0.7: room stays for the answer and for a wrong estimate). */
export const shouldCompress = (tokensEstimate: number, window: number, threshold = 0.7): boolean =>
  window > 0 && tokensEstimate >= window * threshold;

/** `keptFrom` is the index in the history at which `kept` begins: what the transcript records. */
export interface Split {
  readonly older: readonly Message[];
  readonly kept: readonly Message[];
  readonly keptFrom: number;
}

/**
 * Keeps about `keepFraction` of the tokens, counted from the end. A call stays with its results, and `kept` never begins with a result.
 * `older` is empty when there is no such place in the history: then there is nothing to compress.
 */
export function splitForCompression(messages: readonly Message[], keepFraction = 0.3): Split {
  const budget = estimateTokens(messages) * keepFraction;
  let target = messages.length;
  let tail = 0;
  while (target > 0) {
    tail += estimateTokens(messages.slice(target - 1, target));
    if (tail > budget) break;
    target--;
  }
  const places = seams(messages);
  // Behind the target the kept part is within its budget; else the last place there is.
  const keptFrom = places.find((place) => place >= target) ?? places.at(-1) ?? 0;
  return { older: messages.slice(0, keptFrom), kept: messages.slice(keptFrom), keptFrom };
}

/** The indexes at which no call in front waits for a result behind. A call that was never answered waits for nothing. */
function seams(messages: readonly Message[]): readonly number[] {
  const answered = new Set(messages.flatMap((message) => message.parts.flatMap((part) => (part.type === "result" ? [part.id] : []))));
  const open = new Set<string>();
  const places: number[] = [];
  messages.forEach((message, i) => {
    const answers = message.parts.some((part) => part.type === "result");
    if (open.size === 0 && !answers) places.push(i);
    for (const part of message.parts) {
      if (part.type === "call" && answered.has(part.id)) open.add(part.id);
      if (part.type === "result") open.delete(part.id);
    }
  });
  return places;
}

/** The history that takes the place of the one that was split. Roles alternate, whichever `kept` begins with. */
export function summaryMessages(summary: string, kept: readonly Message[]): readonly Message[] {
  const told: Message = {
    role: "user",
    parts: [{ type: "text", text: `<summary_of_earlier_conversation>\n${summary.trim()}\n</summary_of_earlier_conversation>` }],
  };
  const heard: Message = { role: "model", parts: [{ type: "text", text: "I have read the summary and go on from there." }] };
  return kept[0]?.role === "model" ? [told, ...kept] : [told, heard, ...kept];
}
