/** Turns Gemini's answers, as its API writes them, into chunks, and a call into the request Gemini would get. */
import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "@carabiner/engine";
import * as z from "zod/mini";
import { isObject } from "./json.ts";
import type { Chunk, Message, ModelCall, Part } from "./model.ts";

const part = z.looseObject({
  text: z.optional(z.string()),
  thought: z.optional(z.boolean()),
  thoughtSignature: z.optional(z.string()),
  functionCall: z.optional(
    z.looseObject({ id: z.optional(z.string()), name: z.string(), args: z.optional(z.nullable(z.record(z.string(), z.json()))) }),
  ),
  inlineData: z.optional(z.looseObject({ mimeType: z.string(), data: z.string() })),
});

/** A `GenerateContentResponse`, or one streamed chunk of it: what we read of it is checked, the rest is let be. */
export const geminiResponse = z.looseObject({
  candidates: z.optional(
    z.array(
      z.looseObject({
        content: z.optional(z.looseObject({ parts: z.optional(z.array(part)) })),
        finishReason: z.optional(z.string()),
      }),
    ),
  ),
  promptFeedback: z.optional(z.looseObject({ blockReason: z.optional(z.string()) })),
  usageMetadata: z.optional(
    z.looseObject({
      promptTokenCount: z.optional(z.number()),
      candidatesTokenCount: z.optional(z.number()),
      totalTokenCount: z.optional(z.number()),
    }),
  ),
});

/** An answer of Gemini's API, checked. */
export type GeminiResponse = z.output<typeof geminiResponse>;

/** The chunk it stands for: only the first candidate counts, calls get an id if they have none, a blocked prompt finishes with its block reason. */
export function chunkOf(response: GeminiResponse): Chunk {
  const candidate = response.candidates?.[0];
  const finishReason = candidate?.finishReason ?? response.promptFeedback?.blockReason;
  const { promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: total } = response.usageMetadata ?? {};
  const usage = {
    ...(prompt === undefined ? {} : { prompt }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(total === undefined ? {} : { total }),
  };
  return {
    parts: (candidate?.content?.parts ?? []).flatMap(partsOf),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(response.usageMetadata ? { usage } : {}),
  };
}

/** An id no other call of any session has, in the letters every provider allows. */
export const newCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;

/** The request in Gemini's words, for messages about it. Results of calls are `{output}` or `{error}`. */
export function geminiRequest(call: ModelCall): JsonObject {
  return {
    model: call.model,
    contents: call.messages.map((message: Message) => ({ role: message.role, parts: message.parts.map(geminiPart) })),
    config: { ...call.config, ...(call.system === undefined ? {} : { systemInstruction: call.system }) },
  };
}

function partsOf(raw: z.output<typeof part>): Part[] {
  const metadata = raw.thoughtSignature === undefined ? {} : { metadata: { google: { thoughtSignature: raw.thoughtSignature } } };
  const parts: Part[] = [];
  if (raw.text !== undefined && (raw.text !== "" || raw.thoughtSignature !== undefined)) {
    parts.push({ type: "text", text: raw.text, ...(raw.thought ? { thought: true as const } : {}), ...metadata });
  }
  if (raw.functionCall) {
    const { id, name, args } = raw.functionCall;
    parts.push({ type: "call", id: id ?? newCallId(), name, input: args ?? {}, ...metadata });
  }
  if (raw.inlineData) parts.push({ type: "media", mimeType: raw.inlineData.mimeType, data: raw.inlineData.data });
  return parts;
}

function geminiPart(said: Part): Json {
  switch (said.type) {
    case "text":
      return said.thought ? { text: said.text, thought: true } : { text: said.text };
    case "call":
      return { functionCall: { id: said.id, name: said.name, args: said.input } };
    case "media":
      return { inlineData: { mimeType: said.mimeType, data: said.data } };
    case "result": {
      const wrapped = isObject(said.output) && (Object.hasOwn(said.output, "output") || Object.hasOwn(said.output, "error"));
      const response: Json = wrapped ? said.output : said.isError ? { error: said.output } : { output: said.output };
      return { functionResponse: { id: said.id, name: said.name, response } };
    }
  }
}
