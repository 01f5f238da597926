/** The agent's own words for a history and a streamed answer, whichever provider speaks them. */
import type { Json, JsonObject } from "@carabiner/engine";

/**
 * One piece of a message. `metadata` is opaque: the provider gave it (a thought signature, say) and gets it back with the piece,
 * keyed by provider, so that a history can move between providers. `data` is base64. `problem` of a call: its arguments could not be read, and `input` is
 * empty; the sentence is for the model.
 */
export type Part =
  | { readonly type: "text"; readonly text: string; readonly thought?: true; readonly metadata?: JsonObject }
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly problem?: string;
      readonly metadata?: JsonObject;
    }
  | { readonly type: "result"; readonly id: string; readonly name: string; readonly output: Json; readonly isError: boolean }
  | { readonly type: "media"; readonly mimeType: string; readonly data: string };

/** A call of the model for a tool. */
export type CallPart = Extract<Part, { readonly type: "call" }>;

/** One entry of the history. Results of calls are said by the user. */
export interface Message {
  readonly role: "user" | "model";
  readonly parts: readonly Part[];
}

/** A tool as a model is told of it; `parameters` is a JSON Schema of an object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/**
 * One question to a model, with everything it depends on. `model` may differ from the name of the `Model` asked, because a hook may rename it.
 * `toolLimit.allowed` empty: no restriction by name. Under `none` no tool may be called.
 */
export interface ModelCall {
  readonly model: string;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly config: { readonly temperature?: number; readonly topP?: number; readonly topK?: number; readonly maxOutputTokens?: number };
  readonly toolLimit?: { readonly mode: "auto" | "any" | "none"; readonly allowed: readonly string[] };
}

/** Tokens, counted by the provider. `candidates` leaves thoughts out where the provider tells them apart; `total` has everything. */
export interface Usage {
  readonly prompt?: number;
  readonly candidates?: number;
  readonly total?: number;
}

/**
 * One streamed piece of an answer: text deltas, thought deltas, complete calls.
 * `finishReason` is in Gemini's words (`STOP`, `MAX_TOKENS`, `SAFETY`, `OTHER` ...) and comes with the last chunk, which may have no parts.
 */
export interface Chunk {
  readonly parts: readonly Part[];
  readonly finishReason?: string;
  readonly usage?: Usage;
}

/** How the pieces of an answer are wanted. */
export interface Streaming {
  /**
   * The finish comes with the last chunk that says something, so that whoever looks at each chunk sees no more of them than were said. It costs the time
   * from one chunk to the next. A model whose chunks come as they are recorded or written down need not look at this.
   */
  readonly finishWithContent?: boolean;
}

/** Something that answers. It keeps no history, retries nothing and runs no tools. */
export interface Model {
  /** Who answers: `google`, `openai`, `anthropic`, `script`, `fake`. */
  readonly provider: string;
  /** The model's name as its provider knows it. */
  readonly name: string;
  /** Tokens that fit into one question and its answer. */
  readonly contextWindow: number;
  /** Contract: nothing happens before the first `next()`; rejects with a `ModelError` and nothing else; an abort rejects with kind `aborted`. */
  readonly stream: (call: ModelCall, signal: AbortSignal, how?: Streaming) => AsyncIterable<Chunk>;
  /** The same answer in one piece, where that is a different request. Absent: `answerOf` joins the stream. */
  readonly generate?: (call: ModelCall, signal: AbortSignal) => Promise<Chunk>;
}
