/** Turns the transcript of a session into what the tour asks of it: what the agent said, and which calls it refused by itself. */
import { readFileSync } from "node:fs";
import { isObject, type Json } from "@carabiner/engine";

export interface TranscriptResult {
  readonly callId: string;
  readonly tool: string;
  readonly output: string;
  readonly isError: boolean;
}
export interface Spoken {
  /** What the model said, a text each message, in order. */
  readonly answers: readonly string[];
  readonly results: readonly TranscriptResult[];
  /** Lines there are: what a later reading may skip. */
  readonly lines: number;
}

/** From line `from` on. A file that is missing says nothing. */
export function readSpoken(path: string, from = 0): Spoken {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const lines = text.split("\n").filter((line) => line !== "");
  const messages = lines.slice(from).flatMap((line) => {
    const event: Json = JSON.parse(line);
    return isObject(event) && event.type === "message" && isObject(event.message) ? [event.message] : [];
  });
  const parts = (message: { readonly [key: string]: Json }) => (Array.isArray(message.parts) ? message.parts.filter(isObject) : []);
  return {
    lines: lines.length,
    answers: messages
      .filter(({ role }) => role === "model")
      .map((message) =>
        parts(message)
          .map((part) => (part.type === "text" && typeof part.text === "string" && part.thought !== true ? part.text : ""))
          .join(""),
      )
      .filter((said) => said !== ""),
    results: messages.flatMap(parts).flatMap((part): TranscriptResult[] => {
      if (part.type !== "result" || typeof part.id !== "string" || typeof part.name !== "string") return [];
      const { output } = part;
      return [
        {
          callId: part.id,
          tool: part.name,
          output: typeof output === "string" ? output : JSON.stringify(output),
          isError: part.isError === true,
        },
      ];
    }),
  };
}
