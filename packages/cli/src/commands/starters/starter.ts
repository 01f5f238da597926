/** What a starter is: a first script for an event, with what it does and examples to try it with. */
import type { AnyRow, Dialect, JsonObject } from "@carabiner/engine";

/** `node` is JavaScript checked by `// @ts-check`; `ts` needs a Node that strips types. */
export const LANGUAGES = ["sh", "python", "node", "ts"] as const;
export type Language = (typeof LANGUAGES)[number];

/** `guard`: refuses commands; `paths`: refuses files; `prompt`, `request`, `redact`: keep secrets back; `check`: sends the agent round again; `tools`: limits them. */
export type Kind = "guard" | "paths" | "prompt" | "request" | "tools" | "redact" | "check" | "context" | "log";

export interface StarterOrder {
  readonly dialect: Dialect;
  readonly wireName: string;
  readonly row: AnyRow;
  /** The hook's name, which its reasons give. */
  readonly name: string;
  /** Relative to the project, with `/`: the folder of the product's settings. */
  readonly settingsDir: string;
}

export interface Example {
  /** What happens, as the object of "tried with". */
  readonly says: string;
  /** Fields of stdin that differ from the row's example. */
  readonly fields: JsonObject;
}

export interface Starter {
  readonly text: string;
  /** One sentence without a subject: "Refuses ...". */
  readonly does: string;
  readonly examples: readonly Example[];
}

export const EXTENSIONS: Readonly<Record<Language, string>> = { sh: "sh", python: "py", node: "mjs", ts: "mts" };
