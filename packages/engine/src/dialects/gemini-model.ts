/** Gemini CLI's stable model shapes: neutral requests, responses and tool limits to its wire form and back. */
import {
  isObject,
  type Json,
  type JsonObject,
  type MessageRole,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type RequestPatch,
  sameJson,
  type ToolLimit,
} from "../protocol/index.ts";
import type { Decoding } from "./dialect.ts";

const MODES = { AUTO: "auto", ANY: "any", NONE: "none" } as const;
export const WIRE_MODES = { auto: "AUTO", any: "ANY", none: "NONE" } as const;
const isMode = (value: Json | undefined): value is keyof typeof MODES => typeof value === "string" && Object.hasOwn(MODES, value);
const isRole = (value: Json | undefined): value is MessageRole => value === "user" || value === "model" || value === "system";

/** Source: Gemini CLI hooks reference, "LLMRequest"; config keys as LLM-3 of the study. */
export function wireRequest(request: ModelRequest): JsonObject {
  return {
    model: request.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    config: request.config,
    ...(request.toolConfig
      ? { toolConfig: { mode: WIRE_MODES[request.toolConfig.mode], allowedFunctionNames: request.toolConfig.allowed } }
      : {}),
  };
}

/** Source: Gemini CLI hooks reference, "LLMResponse"; `text` and the further counts as LLM-5 and LLM-6 of the study. */
export function wireResponse(response: ModelResponse): JsonObject {
  const { usage } = response;
  return {
    text: response.parts.join(""),
    candidates: [
      {
        content: { role: "model", parts: response.parts },
        ...(response.finishReason === undefined ? {} : { finishReason: response.finishReason }),
        index: 0,
      },
    ],
    ...(usage
      ? {
          usageMetadata: {
            ...(usage.prompt === undefined ? {} : { promptTokenCount: usage.prompt }),
            ...(usage.candidates === undefined ? {} : { candidatesTokenCount: usage.candidates }),
            ...(usage.total === undefined ? {} : { totalTokenCount: usage.total }),
          },
        }
      : {}),
  };
}

export const REQUEST_KEYS = ["model", "messages", "config"] as const;
export const REQUEST_SHAPE = "an object with any of model (text), messages (array of {role, content}) and config (object)";
/** Only what differs from what this hook was shown is its change: two hooks that redact different messages both count. */
export function requestPatch(value: Json, say: Decoding): RequestPatch | undefined {
  const given = requestFields(value);
  if (!given) return undefined;
  const shown = isObject(say.shown.llm_request) ? say.shown.llm_request : {};
  const before = Array.isArray(shown.messages) ? shown.messages : [];
  const config = isObject(shown.config) ? shown.config : {};
  const messages = given.messages
    ?.map((message, at) => ({ ...message, at }))
    .filter(({ at, role, content }) => !sameJson({ role, content }, before[at]));
  const changed = Object.fromEntries(
    Object.entries(given.config ?? {}).filter(([key, setting]) => !sameJson(setting, Object.hasOwn(config, key) ? config[key] : undefined)),
  );
  return {
    ...(given.model !== undefined && given.model !== shown.model ? { model: given.model } : {}),
    ...(Object.keys(changed).length > 0 ? { config: changed } : {}),
    ...(messages && messages.length > 0 ? { messages } : {}),
  };
}
function requestFields(
  value: Json,
): { readonly model?: string; readonly messages?: readonly ModelMessage[]; readonly config?: JsonObject } | undefined {
  if (!isObject(value)) return undefined;
  const { model, messages, config } = value;
  if (model !== undefined && typeof model !== "string") return undefined;
  if (config !== undefined && !isObject(config)) return undefined;
  const read = messages === undefined ? undefined : Array.isArray(messages) ? messages.map(message) : [undefined];
  if (read?.includes(undefined)) return undefined;
  return {
    ...(model === undefined ? {} : { model }),
    ...(config === undefined ? {} : { config }),
    ...(read === undefined ? {} : { messages: read.filter((m) => m !== undefined) }),
  };
}
const message = (value: Json): ModelMessage | undefined =>
  isObject(value) && isRole(value.role) && typeof value.content === "string" ? { role: value.role, content: value.content } : undefined;

export const RESPONSE_KEYS = ["text", "candidates", "usageMetadata"] as const;
export const RESPONSE_SHAPE = "an object with candidates[0].content.parts (array of texts)";
export function modelResponse(value: Json): ModelResponse | undefined {
  const first = isObject(value) && Array.isArray(value.candidates) ? value.candidates[0] : undefined;
  const content = isObject(first) ? first.content : undefined;
  const parts: Json | undefined = isObject(content) ? content.parts : undefined;
  if (!isObject(first) || !Array.isArray(parts)) return undefined;
  const texts = parts.filter((part): part is string => typeof part === "string");
  if (texts.length !== parts.length) return undefined;
  const usage = isObject(value) && isObject(value.usageMetadata) ? counts(value.usageMetadata) : undefined;
  return {
    parts: texts,
    ...(typeof first.finishReason === "string" ? { finishReason: first.finishReason } : {}),
    ...(usage ? { usage } : {}),
  };
}
function counts(usage: JsonObject): NonNullable<ModelResponse["usage"]> {
  const { promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: total } = usage;
  return {
    ...(typeof prompt === "number" ? { prompt } : {}),
    ...(typeof candidates === "number" ? { candidates } : {}),
    ...(typeof total === "number" ? { total } : {}),
  };
}

export const TOOL_CONFIG_KEYS = ["mode", "allowedFunctionNames"] as const;
export const TOOL_CONFIG_SHAPE = "an object with mode (AUTO, ANY or NONE) and allowedFunctionNames (array of texts)";
export function toolLimit(value: Json, say: Decoding): ToolLimit | undefined {
  if (!isObject(value)) return undefined;
  const { mode, allowedFunctionNames: names } = value;
  if (mode !== undefined && !isMode(mode)) return undefined;
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === "string"))) return undefined;
  const allowed = (names ?? []).filter((name): name is string => typeof name === "string").map(say.hostToolName);
  return { mode: mode === undefined ? "auto" : MODES[mode], allowed };
}

/** The way back, for facts given in wire words. */
export function modelRequest(value: Json | undefined, example: ModelRequest): ModelRequest {
  const given = value === undefined ? undefined : requestFields(value);
  const limit =
    isObject(value) && value.toolConfig !== undefined
      ? toolLimit(value.toolConfig, { hostToolName: (name) => name, hostPatch: (_call, wire) => wire, shown: {} })
      : undefined;
  return { ...example, ...given, ...(limit ? { toolConfig: limit } : {}) };
}
