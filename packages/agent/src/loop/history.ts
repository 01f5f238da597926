/** The conversation as the model sees it, and as it is kept: context that lasts one turn is in the first only. */
import type { Context } from "@carabiner/engine";
import type { Message, Part } from "../models/index.ts";

export interface History {
  /** What is kept, in order. */
  readonly messages: () => readonly Message[];
  /** What the next request says: the kept messages, with the notes of this turn behind the message they belong to. */
  readonly asked: () => readonly Message[];
  readonly add: (message: Message) => void;
  /** Adds a prompt with the context hooks gave for it; what lasts a turn is forgotten by `endTurn`. */
  readonly addPrompt: (prompt: string, context: readonly Context[]) => void;
  /** Takes the last prompt back, and everything after it. */
  readonly dropPrompt: () => void;
  readonly endTurn: () => void;
  readonly replace: (messages: readonly Message[]) => void;
}

/** `kept` is told of every message that is kept, once. */
export function createHistory(start: readonly Message[], kept: (message: Message) => void): History {
  let messages: Message[] = [...start];
  let notes: { readonly at: number; readonly parts: readonly Part[] } | undefined;
  let promptAt: number | undefined;
  const add = (message: Message): void => {
    messages.push(message);
    kept(message);
  };
  return {
    messages: () => messages,
    asked: () => messages.map((message, i) => (notes?.at === i ? { ...message, parts: [...message.parts, ...notes.parts] } : message)),
    add,
    addPrompt: (prompt, context) => {
      const part = ({ framed }: Context): Part => ({ type: "text", text: framed });
      const lasting = context.filter(({ lasts }) => lasts === "history").map(part);
      const passing = context.filter(({ lasts }) => lasts === "turn").map(part);
      promptAt = messages.length;
      add({ role: "user", parts: [{ type: "text", text: prompt }, ...lasting] });
      notes = passing.length > 0 ? { at: promptAt, parts: passing } : undefined;
    },
    dropPrompt: () => {
      if (promptAt !== undefined) messages.length = promptAt;
      notes = undefined;
    },
    endTurn: () => {
      notes = undefined;
      promptAt = undefined;
    },
    replace: (next) => {
      messages = [...next];
      notes = undefined;
      promptAt = undefined;
    },
  };
}
