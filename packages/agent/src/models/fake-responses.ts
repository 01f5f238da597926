/** Turns a file of Gemini CLI's fake responses into a Model that plays them. Source: Gemini CLI, `--fake-responses` and `--fake-responses-non-strict`. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { chunkOf, type GeminiResponse, geminiRequest, geminiResponse } from "./gemini-words.ts";
import { complaint, parsed } from "./json.ts";
import type { Chunk, Model, ModelCall } from "./model.ts";
import { abortedError, ModelError } from "./model-error.ts";

/** Lines of `countTokens` and `embedContent` are kept in their place: we never ask for them, so in strict order they stand in the way, as they should. */
const line = z.discriminatedUnion("method", [
  z.looseObject({ method: z.literal("generateContentStream"), response: z.array(geminiResponse) }),
  z.looseObject({ method: z.literal("generateContent"), response: geminiResponse }),
  z.looseObject({ method: z.enum(["countTokens", "embedContent"]), response: z.unknown() }),
]);
type Line = z.output<typeof line>;

/** `strict` (the default): lines are used in the file's order. Otherwise the first line left with the method that is asked for. */
export interface FakeResponsesOptions {
  readonly path: string;
  readonly name: string;
  readonly contextWindow: number;
  readonly strict?: boolean | undefined;
}

/** The model, or what is wrong with the file: path, line, place. Every opening begins at line 1. */
export function openFakeResponses(
  options: FakeResponsesOptions,
): { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly message: string } {
  const lines: Line[] = [];
  let text: string;
  try {
    text = readFileSync(options.path, "utf8");
  } catch (error) {
    return { ok: false, message: `${options.path}: cannot be read (${error instanceof Error ? error.message : String(error)}).` };
  }
  for (const [index, written] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (written.trim() === "") continue;
    const place = `${options.path}:${index + 1}`;
    const json = parsed(written);
    if (!json.ok) return { ok: false, message: `${place}: expected one JSON object a line (${json.why}).` };
    const read = line.safeParse(json.value);
    if (!read.success) {
      return {
        ok: false,
        message: `${place}: expected {"method", "response"} as Gemini CLI records them; ${complaint(read.error.issues)}.`,
      };
    }
    lines.push(read.data);
  }
  return { ok: true, model: player(lines, options) };
}

function player(lines: Line[], options: FakeResponsesOptions): Model {
  const strict = options.strict ?? true;
  const next = <M extends Line["method"]>(method: M, call: ModelCall): Extract<Line, { method: M }> => {
    const at = strict ? 0 : lines.findIndex((candidate) => candidate.method === method);
    const found = lines[at];
    if (!found || !isOf(found, method)) {
      const other = found ? `; the next one is for ${found.method}` : "";
      const message = `No more mock responses for ${method}, got request: ${JSON.stringify(geminiRequest(call))}${other}`;
      throw new ModelError("exhausted", message);
    }
    lines.splice(at, 1);
    return found;
  };
  return {
    provider: "fake",
    name: options.name,
    contextWindow: options.contextWindow,
    async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<Chunk> {
      if (signal.aborted) throw abortedError(signal.reason);
      const chunks: readonly GeminiResponse[] = next("generateContentStream", call).response;
      for (const chunk of chunks) {
        if (signal.aborted) throw abortedError(signal.reason);
        yield chunkOf(chunk);
      }
    },
    async generate(call: ModelCall, signal: AbortSignal): Promise<Chunk> {
      if (signal.aborted) throw abortedError(signal.reason);
      return chunkOf(next("generateContent", call).response);
    },
  };
}

function isOf<M extends Line["method"]>(found: Line, method: M): found is Extract<Line, { method: M }> {
  return found.method === method;
}
