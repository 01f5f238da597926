/** Turns a provider, a name and a key into a Model that speaks to it over the network, through the AI SDK. */
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { chunksOf } from "./chunks.ts";
import { failure, WebPage } from "./failure.ts";
import { proxyFetch } from "./fetch.ts";
import type { Chunk, Model, ModelCall, Streaming } from "./model.ts";
import { callOptions } from "./prompt.ts";
import { type ProviderName, type ProviderRow, providers } from "./providers.ts";

/** What a provider's model needs. `baseUrl` is complete, version segment included; `env` is read for its proxy variables. */
export interface ProviderModelOptions {
  readonly provider: ProviderName;
  readonly name: string;
  readonly contextWindow: number;
  readonly key: string | undefined;
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears what a request asked for and the provider cannot do, each thing once. */
  readonly notice?: ((text: string) => void) | undefined;
}

/** Loads, opens and sends nothing before the first `next()` of a stream. Leaving a stream early closes its connection. */
export function providerModel(options: ProviderModelOptions): Model {
  const row: ProviderRow = providers[options.provider];
  let connected: Promise<(name: string) => LanguageModelV3> | undefined;
  const heard = new Set<string>();
  const notice = (text: string): void => {
    if (!heard.has(text)) options.notice?.(text);
    heard.add(text);
  };
  return {
    provider: options.provider,
    name: options.name,
    contextWindow: options.contextWindow,
    async *stream(call: ModelCall, signal: AbortSignal, { finishWithContent = false }: Streaming = {}): AsyncGenerator<Chunk> {
      const who = `${options.provider}/${call.model}`;
      let began = false;
      try {
        connected ??= connect[options.provider](options);
        const language = (await connected)(call.model);
        const { stream } = await language.doStream({ ...callOptions(call, row), abortSignal: signal });
        began = true;
        yield* chunksOf(stream, { who, finishesInGeminiWords: row.finishesInGeminiWords, notice, finishWithContent, signal });
      } catch (error) {
        throw failure(
          error,
          { who, baseUrl: options.baseUrl, keyVariable: row.keyVariable, baseVariable: row.baseVariable, key: options.key, began },
          signal,
        );
      }
    },
  };
}

/** Each client is loaded only by the model that needs it: together they take longer to load than everything else. */
const connect: Readonly<Record<ProviderName, (options: ProviderModelOptions) => Promise<(name: string) => LanguageModelV3>>> = {
  async google({ key, baseUrl, env }) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ apiKey: key ?? "", baseURL: baseUrl, fetch: noPages(proxyFetch(env)) });
  },
  async openai({ key, baseUrl, env }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    // OpenAI's own models refuse the old name of the limit, the servers that copy its interface do not know the new one.
    const renames = baseUrl === providers.openai.baseUrl ? { transformRequestBody: withNewLimit } : {};
    return createOpenAICompatible({
      name: "openai",
      baseURL: baseUrl,
      includeUsage: true,
      fetch: noPages(proxyFetch(env)),
      ...(key ? { apiKey: key } : {}),
      ...renames,
    });
  },
  async anthropic({ key, baseUrl, env }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey: key ?? "", baseURL: baseUrl, fetch: noPages(proxyFetch(env)) });
  },
};

/** A login page of a network, or the front page of a wrong address, is no broken stream: asking again gives the same page. */
function noPages(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await send(input, init);
    const type = answer.headers.get("content-type") ?? "";
    if (!answer.ok || !/^text\/html\b/i.test(type)) return answer;
    await answer.body?.cancel();
    throw new WebPage(type);
  };
}

/** The request of OpenAI's own endpoint: `max_tokens` under its new name. */
export function withNewLimit({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}
