/** A model middleware in the AI SDK's shape (specification v3): every call of a wrapped model goes through the hooks' model bracket. */
import {
  applyMessages,
  isObject,
  type Json,
  type JsonObject,
  type MessageCodec,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type ToolLimit,
  textMessages,
} from "../protocol/index.ts";
import type { ChunkCodec, ModelChange } from "./model.ts";
import type { Session } from "./session.ts";

/** The call options of the SDK's language model, as far as hooks are concerned; the rest passes unchanged. */
interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly { readonly name: string }[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}
interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}
interface StreamPart {
  readonly type: string;
  readonly [key: string]: unknown;
}
interface StreamResult {
  readonly stream: ReadableStream<StreamPart>;
}
interface GenerateResult {
  readonly content: readonly { readonly type: string }[];
}
/** What the SDK's `wrapLanguageModel` takes as `middleware`. `Refused` is thrown into the SDK's call when a hook refuses. */
export interface ModelMiddleware {
  readonly specificationVersion: "v3";
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types fit this by structure; naming them would mean importing it.
  readonly wrapStream: (call: any) => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly wrapGenerate: (call: any) => PromiseLike<any>;
}
interface Wrapped {
  readonly params: CallOptions;
  readonly model: {
    readonly modelId: string;
    readonly doStream: (options: CallOptions) => PromiseLike<StreamResult>;
    readonly doGenerate: (options: CallOptions) => PromiseLike<GenerateResult>;
  };
}

export function modelMiddleware(session: Session): ModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapStream: async ({ params, model }: Wrapped) => {
      const signal = params.abortSignal ? { signal: params.abortSignal } : {};
      let result: StreamResult | undefined;
      const call = async function* (change: ModelChange): AsyncGenerator<StreamPart, void, undefined> {
        result = await model.doStream(changed(params, change));
        yield* result.stream;
      };
      const parts = session.model(() => requestOf(params, model.modelId), call, STREAM_PARTS, signal);
      // The first part tells whether the model was called at all: the SDK wants the rest of its result with the stream.
      const first = await parts.next();
      return { ...result, stream: toStream(first, parts) };
    },
    wrapGenerate: async ({ params, model }: Wrapped) => {
      const signal = params.abortSignal ? { signal: params.abortSignal } : {};
      const call = async function* (change: ModelChange): AsyncGenerator<GenerateResult, void, undefined> {
        yield await model.doGenerate(changed(params, change));
      };
      for await (const result of session.model(() => requestOf(params, model.modelId), call, RESULTS, signal)) return result;
      throw new Error("The model call ended without a result.");
    },
  };
}

function requestOf({ prompt, ...options }: CallOptions, model: string): ModelRequest {
  const numbers = { temperature: "temperature", topP: "topP", topK: "topK", maxOutputTokens: "maxOutputTokens" } as const;
  const given: Readonly<Record<string, unknown>> = { ...options };
  const config = Object.fromEntries(
    Object.keys(numbers).flatMap((key): [string, Json][] => (typeof given[key] === "number" ? [[key, given[key]]] : [])),
  );
  return { model, messages: textMessages(prompt, PROMPT, roleOf), config };
}

/** The model's name is the wrapped model's own and cannot be changed from here; everything else a hook changed is laid over the call. */
function changed(params: CallOptions, { request, toolLimit }: ModelChange): CallOptions {
  return {
    ...params,
    ...request?.config,
    ...(request?.messages ? { prompt: applyMessages(params.prompt, request, PROMPT) } : {}),
    ...(toolLimit ? limited(params, toolLimit) : {}),
  };
}
const CHOICE = { auto: "auto", any: "required", none: "none" } as const;
function limited(params: CallOptions, { mode, allowed }: ToolLimit): object {
  const tools = allowed.length > 0 ? params.tools?.filter((tool) => allowed.includes(tool.name)) : params.tools;
  return { ...(tools ? { tools } : {}), toolChoice: { type: CHOICE[mode] } };
}

const PROMPT: MessageCodec<PromptMessage> = {
  text: ({ content }) => (typeof content === "string" ? content : partsOf(content).map(textOf).join("")),
  withText: (message, text, role) => ({
    ...message,
    role: sdkRole(role),
    content:
      typeof message.content === "string"
        ? text
        : [{ type: "text", text }, ...partsOf(message.content).filter((part) => part.type !== "text")],
  }),
  fromText: (text, role) => (role === "system" ? { role, content: text } : { role: sdkRole(role), content: [{ type: "text", text }] }),
};
const roleOf = ({ role }: PromptMessage): ModelMessage["role"] => (role === "assistant" ? "model" : role === "system" ? "system" : "user");
const sdkRole = (role: ModelMessage["role"]): string => (role === "model" ? "assistant" : role);
const partsOf = (content: unknown): readonly JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);
const textOf = (part: JsonObject): string => (part.type === "text" && typeof part.text === "string" ? part.text : "");

/** Text arrives as deltas between a start and an end; everything else passes by. */
const STREAM_PARTS: ChunkCodec<StreamPart> = {
  read: (part) => (part.type === "text-delta" && typeof part.delta === "string" ? { parts: [part.delta] } : undefined),
  write: (part, response) => ({ type: "text-delta", id: "hook", ...part, delta: response.parts.join("") }),
};
const RESULTS: ChunkCodec<GenerateResult> = {
  read: (result) => ({
    parts: partsOf(result.content)
      .filter((part) => part.type === "text")
      .map(textOf),
  }),
  write: (result, response: ModelResponse) => {
    const text = { type: "text", text: response.parts.join("") };
    if (result) return { ...result, content: [text, ...result.content.filter((part) => part.type !== "text")] };
    return { content: [text], ...FINISHED, warnings: [] };
  },
};
const FINISHED = { finishReason: { unified: "stop", raw: undefined }, usage: { inputTokens: {}, outputTokens: {} } } as const;

/** A synthetic answer is one delta: the SDK wants it framed as a stream of its own. */
function toStream(first: IteratorResult<StreamPart, void>, rest: AsyncGenerator<StreamPart, void, undefined>): ReadableStream<StreamPart> {
  const synthetic = !first.done && first.value.id === "hook" && first.value.type === "text-delta";
  const head: StreamPart[] = first.done
    ? []
    : synthetic
      ? [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "hook" }, first.value]
      : [first.value];
  const foot: StreamPart[] = synthetic
    ? [
        { type: "text-end", id: "hook" },
        { type: "finish", ...FINISHED },
      ]
    : [];
  return new ReadableStream<StreamPart>({
    start: (controller) => {
      for (const part of head) controller.enqueue(part);
    },
    pull: async (controller) => {
      try {
        const next = await rest.next();
        if (!next.done) return controller.enqueue(next.value);
        for (const part of foot) controller.enqueue(part);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: async () => {
      await rest.return();
    },
  });
}
