/** For hosts that hold requests and responses in the Gemini API's shape: to the neutral shapes, and changes back onto the rich ones. */
import {
  applyMessages,
  isObject,
  type Json,
  type JsonObject,
  type MessageCodec,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  merged,
  type RequestPatch,
  type ToolLimit,
  textMessages,
} from "../protocol/index.ts";
import { WIRE_MODES } from "./gemini-model.ts";

/** A request as the Gemini API takes it; whatever else it holds is kept as it is. */
export interface GeminiRequest {
  readonly model: string;
  readonly contents: Json;
  readonly config?: JsonObject;
}

const CONFIG_KEYS = ["temperature", "maxOutputTokens", "topP", "topK"] as const;

/** Text, role and the four numbers; tools, system instruction and parts that are no text are never shown. Source: study, LLM-1 to LLM-4. */
export function toRequest(request: GeminiRequest): ModelRequest {
  const config = Object.fromEntries(
    CONFIG_KEYS.flatMap((key): [string, Json][] => (typeof request.config?.[key] === "number" ? [[key, request.config[key]]] : [])),
  );
  return { model: request.model, messages: textMessages(contentsOf(request.contents), codec, roleOf), config };
}

/** Lays the hooks' change, and their limit on tools, over the request. A partial config keeps what it does not name (the binary does not, BUG-27). */
export function applyRequest(request: GeminiRequest, patch: RequestPatch | undefined, limit?: ToolLimit): GeminiRequest {
  const config = merged(request.config ?? {}, patch?.config ?? {});
  const toolConfig = limit && {
    functionCallingConfig: { mode: WIRE_MODES[limit.mode], ...(limit.allowed.length > 0 ? { allowedFunctionNames: limit.allowed } : {}) },
  };
  return {
    ...request,
    ...(patch?.model === undefined ? {} : { model: patch.model }),
    ...(patch?.messages ? { contents: applyMessages(contentsOf(request.contents), patch, codec) } : {}),
    ...(Object.keys(config).length > 0 || toolConfig ? { config: { ...config, ...(toolConfig ? { toolConfig } : {}) } } : {}),
  };
}

/** The text of the first candidate, thoughts left out. Source: study, LLM-5; thoughts: the Gemini contract, "Model shapes". */
export function toResponse(response: JsonObject): ModelResponse {
  const candidate = first(response.candidates);
  const usage = isObject(response.usageMetadata) ? response.usageMetadata : undefined;
  const number = (key: string): number | undefined => (typeof usage?.[key] === "number" ? usage[key] : undefined);
  const [total, prompt, candidates] = [number("totalTokenCount"), number("promptTokenCount"), number("candidatesTokenCount")];
  return {
    parts: partsOf(candidate?.content).flatMap((part) => (isText(part) ? [part.text] : [])),
    ...(typeof candidate?.finishReason === "string" ? { finishReason: candidate.finishReason } : {}),
    ...(usage
      ? {
          usage: {
            ...(total === undefined ? {} : { total }),
            ...(prompt === undefined ? {} : { prompt }),
            ...(candidates === undefined ? {} : { candidates }),
          },
        }
      : {}),
  };
}

/** The response with its text replaced; calls, thoughts and everything else of it stay. Without a response, a new one. */
export function applyResponse(response: JsonObject | undefined, change: ModelResponse): JsonObject {
  const candidate = first(response?.candidates);
  const kept = partsOf(candidate?.content).filter((part) => !isText(part));
  const parts: Json[] = [...change.parts.map((text) => ({ text })), ...kept];
  const finishReason = change.finishReason ?? (candidate ? undefined : "STOP");
  return {
    ...response,
    candidates: [
      { ...candidate, content: { role: "model", parts }, ...(finishReason === undefined ? {} : { finishReason }) },
      ...rest(response?.candidates),
    ],
  };
}

const codec: MessageCodec<Json> = {
  text: (entry) =>
    typeof entry === "string"
      ? entry
      : partsOf(entry)
          .flatMap((part) => (isText(part) ? [part.text] : []))
          .join(""),
  withText: (entry, text, role) =>
    typeof entry === "string"
      ? content(role, [{ text }])
      : { ...(isObject(entry) ? entry : {}), ...content(role, [{ text }, ...partsOf(entry).filter((part) => !isText(part))]) },
  fromText: (text, role) => content(role, [{ text }]),
};
const content = (role: string, parts: readonly Json[]): JsonObject => ({ role, parts });
const contentsOf = (contents: Json): readonly Json[] => (Array.isArray(contents) ? contents : [contents]);
const partsOf = (entry: Json | undefined): readonly Json[] => (isObject(entry) && Array.isArray(entry.parts) ? entry.parts : []);
const isText = (part: Json): part is JsonObject & { readonly text: string } =>
  isObject(part) && typeof part.text === "string" && part.thought !== true;
const first = (candidates: Json | undefined): JsonObject | undefined =>
  Array.isArray(candidates) && isObject(candidates[0]) ? candidates[0] : undefined;
const rest = (candidates: Json | undefined): readonly Json[] => (Array.isArray(candidates) ? candidates.slice(1) : []);
function roleOf(entry: Json): ModelMessage["role"] {
  const role = isObject(entry) ? entry.role : undefined;
  return role === "model" || role === "system" ? role : "user";
}
