/** Turns what the user named and which keys there are into a model, without loading or contacting any provider. */
import { basename, resolve } from "node:path";
import type { Chunk, Model, ModelCall, Streaming } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { providerModel } from "./provider.ts";
import { baseUrlOf, isProvider, type ProviderName, providerNames, providers } from "./providers.ts";
import { openScript } from "./script.ts";
import { contextWindowOf } from "./window.ts";

/** What a model is chosen from. Empty strings count as not given. */
export interface ModelWish {
  /** `--model`. */
  readonly flag?: string | undefined;
  /** Settings `model.name`. */
  readonly setting?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the path of `script/FILE` starts. */
  readonly cwd: string;
  /** Overrides the built-in table; in tokens. */
  readonly contextWindow?: number | undefined;
  /** Hears, once each, what a request asked for and the provider cannot do. */
  readonly notice?: ((text: string) => void) | undefined;
}

/** A model, or one message for a person that says how to get one (the agent's exit code is then 41). */
export type ModelChoice = { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly message: string };

/** So large that a script is never compressed unless somebody sets a window. */
const scriptWindow = 1_000_000;

/** Names that Gemini CLI's settings use for a choice of its own: we choose by key, or take the newest of the kind. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ["pro", "google/gemini-pro-latest"],
  ["flash", "google/gemini-flash-latest"],
  ["flash-lite", "google/gemini-flash-lite-latest"],
]);

/**
 * The flag, else GEMINI_MODEL, else the setting, else the default model of the first provider with a key. A name is `google/NAME`, `openai/NAME`,
 * `anthropic/NAME`, `script/FILE`, or bare when it tells whose it is; with OPENAI_BASE_URL any other bare name is that endpoint's, and no key is needed.
 * A hook may rename the model of a call: the request then goes to whoever has the new name, with that provider's key.
 */
export function chooseModel(wish: ModelWish): ModelChoice {
  const named = wish.flag || wish.env["GEMINI_MODEL"] || wish.setting;
  if (named && !/^auto($|-gemini)/.test(named)) return modelNamed(named, wish);
  const keyed = providerNames.find((provider) => wish.env[providers[provider].keyVariable]);
  if (keyed) return providerChoice(keyed, providers[keyed].defaultModel, wish);
  return { ok: false, message: wish.env["OPENAI_BASE_URL"] ? noName(wish.env["OPENAI_BASE_URL"]) : noModel };
}

function modelNamed(named: string, wish: ModelWish): ModelChoice {
  const name = nicknames.get(named) ?? named;
  const slash = name.indexOf("/");
  const prefix = slash < 0 ? "" : name.slice(0, slash);
  const rest = name.slice(slash + 1);
  if (prefix !== "" && rest === "") return { ok: false, message: `The model ${JSON.stringify(named)} lacks a name after the slash.` };
  if (prefix === "script") {
    return openScript({
      path: resolve(wish.cwd, rest),
      name: basename(rest),
      contextWindow: wish.contextWindow ?? scriptWindow,
    });
  }
  if (isProvider(prefix)) return providerChoice(prefix, rest, wish);
  const owner = ownerOf(name, wish);
  return owner ? providerChoice(owner, name, wish) : { ok: false, message: nobodys(named) };
}

function ownerOf(name: string, wish: ModelWish): ProviderName | undefined {
  const own = providerNames.find((provider) => providers[provider].names.test(name));
  return own ?? (wish.env["OPENAI_BASE_URL"] ? "openai" : undefined);
}

function providerChoice(provider: ProviderName, name: string, wish: ModelWish): ModelChoice {
  const row = providers[provider];
  const given = wish.env[row.baseVariable];
  const baseUrl = baseUrlOf(provider, given);
  if (!baseUrl) {
    const found = JSON.stringify(given?.replace(/\/\/[^/]*@/, "//...@"));
    const message = `${row.baseVariable} is ${found}: expected an http:// or https:// address without a user or password, such as ${row.baseUrl}.`;
    return { ok: false, message };
  }
  const key = wish.env[row.keyVariable] || undefined;
  const keyless = provider === "openai" && given;
  if (!key && !keyless) return { ok: false, message: noKey(provider, name) };
  const contextWindow = contextWindowOf(name, wish.contextWindow);
  const model = providerModel({ provider, name, contextWindow, key, baseUrl, env: wish.env, notice: wish.notice });
  return { ok: true, model: renameable(model, wish) };
}

/** Calls that carry another name go to the model of that name; each is opened once. A bare name stays here unless it is another provider's. */
function renameable(model: Model, wish: ModelWish): Model {
  const others = new Map<string, Model>();
  return {
    ...model,
    stream(call: ModelCall, signal: AbortSignal, how?: Streaming): AsyncIterable<Chunk> {
      const asked = nicknames.get(call.model) ?? call.model;
      if (asked === model.name || !isElsewhere(asked, model)) return model.stream({ ...call, model: asked }, signal, how);
      const other = others.get(asked);
      if (other) return other.stream({ ...call, model: other.name }, signal, how);
      const choice = modelNamed(asked, { ...wish, contextWindow: undefined });
      if (!choice.ok) {
        return rejected(new ModelError("badRequest", `A hook asked for the model ${JSON.stringify(asked)}. ${choice.message}`));
      }
      others.set(asked, choice.model);
      return choice.model.stream({ ...call, model: choice.model.name }, signal, how);
    },
  };
}

function isElsewhere(asked: string, model: Model): boolean {
  const prefix = asked.split("/")[0] ?? "";
  if (asked.includes("/") && (isProvider(prefix) || prefix === "script")) return true;
  const owner = providerNames.find((provider) => providers[provider].names.test(asked));
  return owner !== undefined && owner !== model.provider;
}

/** A stream that rejects at its first `next()`, as the contract of `Model.stream` says. */
const rejected = (error: ModelError): AsyncIterable<Chunk> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

const local = `a local model: start Ollama, then OPENAI_BASE_URL=http://127.0.0.1:11434/v1 and --model openai/NAME`;
const scripted = `no model at all: --model script/FILE plays the answers written in FILE, one JSON object a line`;

const noModel = [
  "No model: none was named, and no key was found. Any one of these gives you one:",
  ...providerNames.map(
    (provider) => `  ${providers[provider].keyVariable}=...  ${providers[provider].title}; keys: ${providers[provider].keyPage}`,
  ),
  `  ${local}`,
  `  ${scripted}`,
].join("\n");

const noName = (baseUrl: string): string =>
  `No model: OPENAI_BASE_URL is ${baseUrl}, but no model of that endpoint is named. Add --model openai/NAME (for Ollama, \`ollama list\` shows the names).`;

function noKey(provider: ProviderName, name: string): string {
  const { keyVariable, keyPage, title } = providers[provider];
  return [
    `No key for ${provider}/${name} (${title}): ${keyVariable} is not set.`,
    `  Set ${keyVariable} (keys: ${keyPage}), or name another model:`,
    `  ${local}`,
    `  ${scripted}`,
  ].join("\n");
}

const nobodys = (named: string): string =>
  `No provider for the model ${JSON.stringify(named)}. Say whose it is: google/${named}, openai/${named} or anthropic/${named}; for a local endpoint set OPENAI_BASE_URL.`;
