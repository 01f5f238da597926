/** The table of providers: what each is called, which variables it reads, which names are its own, and where it lives. */
import type { JsonObject } from "@carabiner/engine";

/** The providers we speak to over the network. `openai` stands for everything that speaks its chat completions, Ollama included. */
export type ProviderName = "google" | "openai" | "anthropic";

/** One provider. */
export interface ProviderRow {
  /** What a person calls it. */
  readonly title: string;
  /** The variable that holds the key, and the page that gives one. */
  readonly keyVariable: string;
  readonly keyPage: string;
  /** The variable that moves the endpoint, where it is without one, and the version segment its base URL must end with. */
  readonly baseVariable: string;
  readonly baseUrl: string;
  readonly version: string;
  /** When the version is added to a base URL of somebody's own: `noVersion`, when the last segment is none; `noPath`, when there is no path at all. */
  readonly addVersion: "noVersion" | "noPath";
  /** The model taken when nobody names one. */
  readonly defaultModel: string;
  /** Bare names that belong to it. */
  readonly names: RegExp;
  /** Whether a tool result can be marked as an error; where it cannot, the result says `{error: ...}`. */
  readonly marksErrors: boolean;
  /** Whether the provider's own finish reasons are Gemini's words already. */
  readonly finishesInGeminiWords: boolean;
  /** What every request to a model of that name carries. */
  readonly options: (model: string) => JsonObject | undefined;
}

/** All providers, in the order in which their keys are looked for. */
export const providers = {
  google: {
    title: "Google Gemini",
    keyVariable: "GEMINI_API_KEY",
    keyPage: "https://aistudio.google.com/apikey",
    baseVariable: "GOOGLE_GEMINI_BASE_URL",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    version: "v1beta",
    addVersion: "noVersion",
    defaultModel: "gemini-3.5-flash",
    names: /^(models\/)?(gemini|gemma)-/,
    marksErrors: false,
    finishesInGeminiWords: true,
    // Thoughts are sent only when asked for, and asking a model that does not think is an error.
    options: (model) =>
      /^gemini-(2\.5-(pro|flash)(?!-lite|-image)|[3-9])/.test(model)
        ? { google: { thinkingConfig: { includeThoughts: true } } }
        : undefined,
  },
  openai: {
    title: "OpenAI, or anything that speaks its chat completions",
    keyVariable: "OPENAI_API_KEY",
    keyPage: "https://platform.openai.com/api-keys",
    baseVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    version: "v1",
    addVersion: "noPath",
    // Later ones take tools together with reasoning only through another interface than chat completions.
    defaultModel: "gpt-5.2",
    names: /^(gpt-|chatgpt-|o\d)/,
    marksErrors: false,
    finishesInGeminiWords: false,
    options: () => undefined,
  },
  anthropic: {
    title: "Anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    keyPage: "https://console.anthropic.com/settings/keys",
    baseVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com/v1",
    version: "v1",
    addVersion: "noVersion",
    // Later ones refuse to be made to call a tool, which is what a hook's tool limit `any` asks for.
    defaultModel: "claude-sonnet-5",
    names: /^claude-/,
    marksErrors: true,
    finishesInGeminiWords: false,
    options: () => undefined,
  },
} as const satisfies Readonly<Record<ProviderName, ProviderRow>>;

/** The names, in the table's order. */
export const providerNames: readonly ProviderName[] = ["google", "openai", "anthropic"];

/** Whether a word is a provider's name. */
export const isProvider = (word: string): word is ProviderName => Object.hasOwn(providers, word);

/**
 * Where requests go: the provider's own place, or `given` with the version segment added where the row says so. A trailing slash does not count.
 * `undefined` when `given` is no http(s) URL, or has a user or password in it, which no fetch takes.
 */
export function baseUrlOf(provider: ProviderName, given: string | undefined): string | undefined {
  const row = providers[provider];
  if (!given) return row.baseUrl;
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username || url.password) return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  const lacks = row.addVersion === "noPath" ? path === "" : !/\/v\d+(alpha|beta)?$/.test(path);
  url.pathname = lacks ? `${path}/${row.version}` : path;
  return url.href.replace(/\/+$/, "");
}
