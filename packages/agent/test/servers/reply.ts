/** What a loopback model server is told to answer, in words of no provider, and what it saw. */
import type { IncomingHttpHeaders } from "node:http";

/** A streamed answer. `chunks` is `text` in pieces; `signature` signs the thought, or without one the first call. */
export interface Answer {
  readonly text?: string;
  readonly chunks?: readonly string[];
  readonly thought?: string;
  readonly signature?: string;
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  /** Default `stop`. */
  readonly finish?: "stop" | "length" | "safety";
  readonly usage?: { readonly prompt: number; readonly candidates: number };
  /** Before each event. */
  readonly delayMs?: number;
  /**
   * After what was said: `hold` keeps the answer open until the client leaves, `cut` breaks the connection, `end` closes it in good order but without the
   * events that finish an answer. Default: it ends as it should.
   */
  readonly then?: "hold" | "cut" | "end";
}

/** An answer that is no stream. A string is sent as it is, anything else as JSON. */
export interface Refusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Reply = Answer | Refusal;

/** One request as it came in. `left` becomes true when the client went before the answer was complete. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into foreign bodies at any depth.
  readonly body: any;
  left: boolean;
}

/** One server-sent event. */
export interface WireEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** How one provider speaks: which paths it serves, what it refuses, how it streams and how it words an error. */
export interface Wire {
  readonly path: RegExp;
  /** What the real service would refuse a request for, or `undefined`. */
  readonly objection: (request: SeenRequest) => string | undefined;
  readonly events: (answer: Answer, request: SeenRequest, turn: number) => readonly WireEvent[];
  readonly error: (status: number, message: string) => unknown;
}

/** The texts of an answer, in order. */
export const textsOf = (answer: Answer): readonly string[] => answer.chunks ?? (answer.text === undefined ? [] : [answer.text]);

/** JSON in two pieces, as providers stream arguments. */
export function halves(value: unknown): readonly [string, string] {
  const text = JSON.stringify(value);
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
