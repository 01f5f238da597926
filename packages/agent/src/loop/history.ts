/** The conversation as the model sees it, and as it is kept: context that lasts one turn is in the first only. */
import type { Context } from "@carabiner/engine";
import type { Message, Part } from "../models/index.ts";

export interface History {
  /** What is kept, in order. */
  readonly messages: () => readonly Message[];
  /** What the next request says: the kept messages, with the notes of this turn behind the message they belong to. */
  readonly asked: () => readonly Message[];
  readonly add: (message: Message) => void;
  /** Adds a prompt with what goes before it and the context hooks gave for it; what lasts a turn is forgotten by `endTurn`. */
  readonly addPrompt: (prompt: string, context: readonly Context[], before?: readonly Context[]) => void;
  readonly endTurn: () => void;
  /** The notes of a turn outlive this: they go to the first message where theirs is gone. */
  readonly replace: (messages: readonly Message[]) => void;
}

/** What several hooks added at one moment, as one text: joined by newline, in order. Source: the Gemini contract, "Several hooks on one firing". */
export const contextParts = (contexts: readonly Context[], behind = ""): readonly Part[] =>
  contexts.length === 0 ? [] : [{ type: "text", text: contexts.map(({ framed }) => framed).join("\n") + behind }];

/** `kept` is told of every message that is kept, once. */
export function createHistory(start: readonly Message[], kept: (message: Message) => void): History {
  let messages: Message[] = [...start];
  let notes: { readonly on: Message; readonly parts: readonly Part[] } | undefined;
  const add = (message: Message): void => {
    messages.push(message);
    kept(message);
  };
  return {
    messages: () => messages,
    asked: () => messages.map((message) => (notes?.on === message ? { ...message, parts: [...message.parts, ...notes.parts] } : message)),
    add,
    addPrompt: (prompt, context, before = []) => {
      const passing = contextParts(context.filter(({ lasts }) => lasts === "turn"));
      const message: Message = {
        role: "user",
        parts: [
          ...contextParts(before, "\n\n"),
          { type: "text", text: prompt },
          ...contextParts(context.filter(({ lasts }) => lasts === "history")),
        ],
      };
      add(message);
      notes = passing.length > 0 ? { on: message, parts: passing } : undefined;
    },
    endTurn: () => {
      notes = undefined;
    },
    replace: (next) => {
      messages = [...next];
      const [first] = messages;
      if (!notes || messages.includes(notes.on)) return;
      notes = first ? { ...notes, on: first } : undefined;
    },
  };
}
