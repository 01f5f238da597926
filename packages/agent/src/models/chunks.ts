/** Turns the stream parts of the AI SDK into chunks of ours, one for each delta, call or end. */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import type { JsonObject } from "@carabiner/engine";
import { holdingFinish, MORE_COMES, type Piece } from "./hold-finish.ts";
import { isObject, parsed } from "./json.ts";
import type { Chunk, Part, Usage } from "./model.ts";
import { ModelError } from "./model-error.ts";

const finishWords: Readonly<Record<LanguageModelV3FinishReason["unified"], string>> = {
  stop: "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  error: "OTHER",
  other: "OTHER",
};

/** How a provider's stream is read. `notice` hears, in words for a person, what the provider was asked for and cannot do. */
export interface Reading {
  readonly who: string;
  readonly finishesInGeminiWords: boolean;
  readonly notice?: ((text: string) => void) | undefined;
  readonly finishWithContent: boolean;
  readonly signal: AbortSignal;
}

/**
 * Chunks in the order they come; the last one has the finish reason and, where told, the usage: on its own, since that is how the SDK gives it, unless it
 * is to come with what was said. A stream that breaks off without a finish reason rejects with a retryable `ModelError`; errors inside the stream are
 * thrown as they are. A call whose arguments are no JSON object says so in `problem`.
 */
export async function* chunksOf(stream: AsyncIterable<LanguageModelV3StreamPart>, reading: Reading): AsyncGenerator<Chunk> {
  const pieces = piecesOf(stream, reading);
  if (reading.finishWithContent) yield* holdingFinish(pieces, reading.signal);
  else for await (const piece of pieces) if (piece !== MORE_COMES) yield piece;
}

async function* piecesOf(stream: AsyncIterable<LanguageModelV3StreamPart>, reading: Reading): AsyncGenerator<Piece> {
  // Metadata of a thought that has come with its start; if no delta carries it, the thought's text is withheld and this is all there is.
  const withheld = new Map<string, JsonObject>();
  let finished = false;
  for await (const part of stream) {
    switch (part.type) {
      case "stream-start":
        for (const warning of part.warnings) reading.notice?.(`${reading.who}: ${warned(warning)}`);
        break;
      case "text-delta":
        if (part.delta !== "" || part.providerMetadata) yield { parts: [text(part.delta, part.providerMetadata)] };
        break;
      case "reasoning-start":
        if (part.providerMetadata) withheld.set(part.id, ours(part.providerMetadata));
        break;
      case "reasoning-delta":
        withheld.delete(part.id);
        if (part.delta !== "" || part.providerMetadata) yield { parts: [{ ...text(part.delta, part.providerMetadata), thought: true }] };
        break;
      case "reasoning-end": {
        const metadata = withheld.get(part.id);
        if (metadata) yield { parts: [{ type: "text", text: "", thought: true, metadata }] };
        break;
      }
      case "tool-input-start":
        yield MORE_COMES;
        break;
      case "tool-call":
        yield { parts: [called(part)] };
        break;
      case "file":
        yield { parts: [{ type: "media", mimeType: part.mediaType, data: base64(part.data) }] };
        break;
      case "finish": {
        if (part.finishReason.unified === "other" && part.finishReason.raw === undefined) throw brokenOff(reading.who);
        finished = true;
        const own = reading.finishesInGeminiWords ? part.finishReason.raw : undefined;
        yield { parts: [], finishReason: own ?? finishWords[part.finishReason.unified], ...counted(part.usage) };
        break;
      }
      case "error":
        throw part.error;
      default:
        // Starts and ends of blocks, arguments in the making, sources: nothing an agent's history keeps.
        break;
    }
  }
  if (!finished) throw brokenOff(reading.who);
}

const brokenOff = (who: string): ModelError => new ModelError("network", `${who}: the answer broke off before it was finished.`);

function text(delta: string, metadata: SharedV3ProviderMetadata | undefined): Extract<Part, { readonly type: "text" }> {
  return { type: "text", text: delta, ...(metadata ? { metadata: ours(metadata) } : {}) };
}

/** What the model got wrong it can put right: that is no reason to lose the turn. */
function called(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): Part {
  const { toolCallId: id, toolName: name, input: written, providerMetadata } = part;
  const read = written.trim() === "" ? { ok: true as const, value: {} } : parsed(written);
  const input = read.ok && isObject(read.value) ? read.value : undefined;
  const found = written.length > 200 ? `${written.slice(0, 200)}...` : written;
  const why = read.ok ? "" : ` (${read.why})`;
  return {
    type: "call",
    id,
    name,
    input: input ?? {},
    ...(input
      ? {}
      : {
          problem: `The arguments are not a JSON object${why}: ${found}\nNothing was done. Call again with all arguments as one JSON object.`,
        }),
    ...(providerMetadata ? { metadata: ours(providerMetadata) } : {}),
  };
}

/** Google leaves thoughts out of the candidates' count; where the others tell them apart, so do we. */
function counted(usage: LanguageModelV3Usage): { readonly usage?: Usage } {
  const prompt = usage.inputTokens.total;
  const all = usage.outputTokens.total;
  const candidates = usage.outputTokens.text ?? all;
  const total = prompt === undefined && all === undefined ? undefined : (prompt ?? 0) + (all ?? 0);
  if (total === undefined) return {};
  return { usage: { ...(prompt === undefined ? {} : { prompt }), ...(candidates === undefined ? {} : { candidates }), total } };
}

const base64 = (data: string | Uint8Array): string => (typeof data === "string" ? data : Buffer.from(data).toString("base64"));

/** Metadata is JSON by contract; what is not goes, rather than into a transcript. */
function ours(metadata: SharedV3ProviderMetadata): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(metadata));
  return isObject(copy) ? copy : {};
}

function warned(warning: Extract<LanguageModelV3StreamPart, { type: "stream-start" }>["warnings"][number]): string {
  if (warning.type === "other") return warning.message;
  return `${warning.feature} is not supported${warning.details ? ` (${warning.details})` : ""}`;
}
