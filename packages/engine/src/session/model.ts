/** The bracket around one model call: before the model, tool selection, the call, and every chunk of its stream. */
import { type ModelRequest, type ModelResponse, patched, type RequestPatch, type ToolLimit } from "../protocol/index.ts";
import type { Firing } from "./options.ts";

/** Between the host's chunks and the neutral shape. */
export interface ChunkCodec<C> {
  /** What hooks may see of a chunk; `undefined`: nothing, it passes unseen. */
  readonly read: (chunk: C) => ModelResponse | undefined;
  /** The chunk with its text replaced, everything else of it kept; without a chunk, a new one that holds the response. */
  readonly write: (chunk: C | undefined, response: ModelResponse) => C;
}
/** What hooks changed about the call. */
export interface ModelChange {
  readonly request: RequestPatch | undefined;
  readonly toolLimit: ToolLimit | undefined;
}
export interface ModelOptions {
  readonly signal?: AbortSignal;
}

/** Thrown into the host's loop when a hook refuses a model call or its answer: it carries the reason, and what ends. */
export class Refused extends Error {
  readonly how: "blocked" | "stopped";
  readonly ends: "turn" | "session";
  readonly reason: string;
  constructor(how: "blocked" | "stopped", ends: "turn" | "session", reason: string) {
    super(reason);
    this.name = "Refused";
    this.how = how;
    this.ends = ends;
    this.reason = reason;
  }
}

/**
 * Yields what may be shown and kept. Throws `Refused`, and whatever `call` throws. A synthetic answer replaces the call, and the after-model hooks see it;
 * a refusal that brings an answer yields that first. Call it again for every connection retry. Source: the Gemini contract, "Events".
 */
export async function* throughModel<C>(
  firing: Firing,
  build: () => ModelRequest,
  call: (change: ModelChange) => AsyncIterable<C>,
  codec: ChunkCodec<C>,
  options: ModelOptions = {},
): AsyncGenerator<C, void, undefined> {
  const signal = options.signal ? { signal: options.signal } : {};
  let built: ModelRequest | undefined;
  // One call shows it to many hooks, and once a chunk: it is built once.
  const request = (): ModelRequest => (built ??= build());
  const before = await firing.fire("beforeModel", { request }, signal);
  if (before.action === "stop") throw new Refused("stopped", before.ends, before.reason);
  if (before.action === "block") {
    if (before.response) yield codec.write(undefined, before.response);
    throw new Refused("blocked", "turn", before.reason);
  }
  if (before.action === "answer") {
    yield* seen(firing, request, only(codec.write(undefined, before.response)), codec, options);
    return;
  }
  const patch = before.request;
  let asked: ModelRequest | undefined;
  const changed = (): ModelRequest => (asked ??= patch ? patched(request(), patch) : request());
  const { toolLimit } = await firing.fire("beforeToolSelection", { request: changed }, signal);
  yield* seen(firing, changed, call({ request: patch, toolLimit }), codec, options);
}

async function* seen<C>(
  firing: Firing,
  request: () => ModelRequest,
  chunks: AsyncIterable<C>,
  codec: ChunkCodec<C>,
  options: ModelOptions,
): AsyncGenerator<C, void, undefined> {
  const signal = options.signal ? { signal: options.signal } : {};
  for await (const chunk of chunks) {
    const response = firing.listens("afterModel") ? codec.read(chunk) : undefined;
    if (!response) {
      yield chunk;
      continue;
    }
    const after = await firing.fire("afterModel", { request, response }, signal);
    if (after.action === "stop") throw new Refused("stopped", after.ends, after.reason);
    if (after.action === "discard") throw new Refused("blocked", "turn", after.reason);
    yield after.response ? codec.write(chunk, after.response) : chunk;
  }
}

async function* only<C>(chunk: C): AsyncGenerator<C, void, undefined> {
  yield chunk;
}
