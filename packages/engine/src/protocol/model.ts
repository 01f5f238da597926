/** The stable model shapes in camelCase; how a product writes them is its dialect's business. */
import { type JsonObject, merged } from "./json.ts";

export type MessageRole = "user" | "model" | "system";
export interface ModelMessage {
  readonly role: MessageRole;
  /** The text of one message; parts that are no text are left out for hooks and kept in the host's request. */
  readonly content: string;
}

/** What a model is about to be asked, as hooks see it. Source: Gemini CLI hooks reference, "Stable hook API: LLMRequest". */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly config: JsonObject;
  readonly toolConfig?: ToolLimit;
}

/**
 * What hooks changed, relative to the request each of them saw: patches compose, and can be laid over a host's richer request.
 * `messages` go by position in the request that was shown; positions past the end are appended.
 */
export interface RequestPatch {
  readonly model?: string;
  readonly config?: JsonObject;
  readonly messages?: readonly (ModelMessage & { readonly at: number })[];
}

/** A model's answer, or one streamed chunk of it. Thoughts are never part of it. */
export interface ModelResponse {
  readonly parts: readonly string[];
  readonly finishReason?: string;
  readonly usage?: { readonly total?: number; readonly prompt?: number; readonly candidates?: number };
}

/** Which tools the model may call. `allowed` empty: no restriction by name; under `none` nothing may be called. */
export interface ToolLimit {
  readonly mode: "auto" | "any" | "none";
  readonly allowed: readonly string[];
}

/** The request as a patch leaves it. */
export function patched(request: ModelRequest, patch: RequestPatch): ModelRequest {
  const messages: ModelMessage[] = [...request.messages];
  for (const { at, ...message } of patch.messages ?? []) messages[Math.min(at, messages.length)] = message;
  return {
    ...request,
    ...(patch.model === undefined ? {} : { model: patch.model }),
    config: merged(request.config, patch.config ?? {}),
    messages,
  };
}

/** Two patches as one: the later one counts where both speak of the same thing. */
export function composed(first: RequestPatch | undefined, later: RequestPatch): RequestPatch {
  if (!first) return later;
  const model = later.model ?? first.model;
  const config: JsonObject | undefined = first.config || later.config ? merged(first.config ?? {}, later.config ?? {}) : undefined;
  const messages =
    first.messages || later.messages
      ? [...(first.messages ?? []).filter((m) => !later.messages?.some((n) => n.at === m.at)), ...(later.messages ?? [])].sort(
          (a, b) => a.at - b.at,
        )
      : undefined;
  return { ...(model === undefined ? {} : { model }), ...(config ? { config } : {}), ...(messages ? { messages } : {}) };
}
