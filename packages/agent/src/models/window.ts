/** Turns a model's name into the number of tokens that fit into one question and its answer. */

const unknownWindow = 32_000;

/** By prefix; the longest prefix that fits counts. */
const windows: Readonly<Record<string, number>> = {
  "gemini-": 1_048_576,
  "gemma-3": 131_072,
  "claude-sonnet-5": 1_000_000,
  "claude-opus-5": 1_000_000,
  "claude-fable-5": 1_000_000,
  "claude-": 200_000,
  "gpt-3.5": 16_385,
  "gpt-4": 8_192,
  "gpt-4-turbo": 128_000,
  "gpt-4o": 128_000,
  "gpt-4.1": 1_047_576,
  "gpt-5": 400_000,
  "gpt-5.4": 1_050_000,
  "gpt-5.5": 1_050_000,
  "gpt-5.6": 1_050_000,
  "gpt-oss": 131_072,
  o1: 200_000,
  o3: 200_000,
  "o4-mini": 200_000,
  "deepseek-": 128_000,
  "mistral-large": 128_000,
  "llama3.1": 128_000,
  "llama3.2": 128_000,
  "llama3.3": 128_000,
  "qwen3-coder": 262_144,
};

/**
 * The context window in tokens. `override` (a setting) wins; a name nobody knows gets 32,000, small enough for local models.
 * Of a name with slashes (`vendor/name`, as routers write them) the last part counts.
 */
export function contextWindowOf(name: string, override?: number): number {
  if (override !== undefined) return override;
  const last = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  let best = "";
  for (const prefix of Object.keys(windows)) if (last.startsWith(prefix) && prefix.length > best.length) best = prefix;
  return windows[best] ?? unknownWindow;
}
