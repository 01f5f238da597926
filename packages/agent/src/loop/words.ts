/** Between the agent's own messages and chunks and the neutral shapes hooks speak of: text out, changed text back in. */
import {
  applyMessages,
  type ChunkCodec,
  type JsonObject,
  type MessageCodec,
  type ModelChange,
  type ModelRequest,
  textMessages,
} from "@carabiner/engine";
import type { Chunk, Message, ModelCall, Part } from "../models/index.ts";

const isText = (part: Part): part is Extract<Part, { type: "text" }> => part.type === "text" && part.thought !== true;
export const textOf = (parts: readonly Part[]): string =>
  parts
    .filter(isText)
    .map((part) => part.text)
    .join("");

const MESSAGE: MessageCodec<Message> = {
  text: ({ parts }) => textOf(parts),
  withText: ({ parts }, text, role) => ({
    role: role === "model" ? "model" : "user",
    parts: [{ type: "text", text }, ...parts.filter((part) => !isText(part))],
  }),
  fromText: (text, role) => ({ role: role === "model" ? "model" : "user", parts: [{ type: "text", text }] }),
};

/** What hooks may see of a call: text and numbers; neither the system instruction nor the tools. */
export function requestOf(call: ModelCall): ModelRequest {
  return { model: call.model, messages: textMessages(call.messages, MESSAGE, ({ role }) => role), config: call.config };
}

/** The call as the hooks left it. */
export function changedCall(call: ModelCall, { request, toolLimit }: ModelChange): ModelCall {
  return {
    ...call,
    ...(request?.model === undefined ? {} : { model: request.model }),
    ...(request?.messages ? { messages: applyMessages(call.messages, request, MESSAGE) } : {}),
    config: { ...call.config, ...numbersOf(request?.config) },
    ...(toolLimit ? { toolLimit } : {}),
  };
}
function numbersOf(config: JsonObject | undefined): ModelCall["config"] {
  const known = ["temperature", "topP", "topK", "maxOutputTokens"];
  return Object.fromEntries(Object.entries(config ?? {}).filter(([key, value]) => known.includes(key) && typeof value === "number"));
}

/** Calls and thoughts of a chunk stay, in their places, when its text is replaced. Source: the Gemini contract, "Events", AfterModel. */
export const CHUNKS: ChunkCodec<Chunk> = {
  read: ({ parts, finishReason, usage }) => {
    const texts = parts.filter(isText).map((part) => part.text);
    // An empty text beside another is only what carries a provider's signature.
    const said = texts.filter((text) => text !== "");
    return {
      parts: said.length > 0 ? said : texts,
      ...(finishReason === undefined ? {} : { finishReason }),
      ...(usage ? { usage } : {}),
    };
  },
  write: (chunk, response) => {
    const finishReason = response.finishReason ?? chunk?.finishReason ?? (chunk ? undefined : "STOP");
    const before = chunk?.parts ?? [];
    // Where the text was; where there was none, behind the thoughts.
    const place = [before.findIndex(isText), before.findIndex((part) => part.type !== "text"), before.length].find((at) => at >= 0);
    const parts: readonly Part[] = [
      ...before.slice(0, place),
      ...response.parts.map((text): Part => ({ type: "text", text })),
      ...before.slice(place).filter((part) => !isText(part)),
    ];
    return { ...chunk, parts, ...(finishReason === undefined ? {} : { finishReason }) };
  },
};
