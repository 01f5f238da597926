/** The keys of a handler: which values can be used, and what a message says was expected. */
import { isObject, type Json } from "../protocol/index.ts";

/** Keys of ours, known in every dialect. Source: design, "What we add to a handler". */
export const OUR_KEYS = ["onFailure", "persistent", "chunks", "budgetMs"] as const;

interface Key {
  readonly expected: string;
  readonly usable: (value: Json, platform: NodeJS.Platform) => boolean;
  /** Announced, and not there yet: what happens instead, where the value asks for something else than that. */
  readonly notBuilt?: { readonly instead: string; readonly unless: Json };
}

const TEXT: Key = { expected: "a text", usable: (value) => typeof value === "string" };
const SWITCH: Key = { expected: "true or false", usable: (value) => typeof value === "boolean" };
const runnable = (value: Json): boolean => typeof value === "string" && value.trim() !== "" && !value.includes("\0");

/** What is not here (`timeout`, which never costs the handler, and what only other types read) is not checked. */
export const KEYS: Readonly<Record<string, Key>> = {
  command: { expected: "a text that is a command", usable: runnable },
  name: TEXT,
  description: TEXT,
  if: TEXT,
  once: SWITCH,
  async: SWITCH,
  asyncRewake: { ...SWITCH, notBuilt: { instead: "The firing waits for the hook, and its answer counts.", unless: false } },
  shell: {
    expected: 'the shell that commands are run by: "bash", on Windows "powershell"',
    usable: (value, platform) => value === (platform === "win32" ? "powershell" : "bash"),
  },
  args: {
    expected: "a list of texts",
    usable: (value) => Array.isArray(value) && value.every((argument: Json) => typeof argument === "string" && !argument.includes("\0")),
  },
  env: {
    expected: "an object of variables whose values are texts",
    usable: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, text]) => /^[^=\0]+$/.test(name) && typeof text === "string" && !text.includes("\0")),
  },
  onFailure: { expected: '"allow" or "block"', usable: (value) => value === "allow" || value === "block" },
  budgetMs: {
    expected: "a positive number of milliseconds",
    usable: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  },
  persistent: { ...SWITCH, notBuilt: { instead: "Each event starts a fresh process.", unless: false } },
  chunks: {
    expected: '"each", "sentence" or "end"',
    usable: (value) => value === "each" || value === "sentence" || value === "end",
    notBuilt: { instead: "The hook is called for each chunk.", unless: "each" },
  },
};
