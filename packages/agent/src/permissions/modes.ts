/** What each permission mode says of each effect: one table, and the spellings of the modes. */
import type { Effect } from "../tools/index.ts";
import type { Mode, PolicyCall } from "./policy.ts";

/** `mcp` is a column of its own: nobody knows what a foreign tool does. */
type Column = Effect | "mcp";
type Answer = "allow" | "ask" | "deny";

const free = { read: "allow", plan: "allow", ask: "allow" } as const;
const asking = { ...free, edit: "ask", execute: "ask", network: "ask", memory: "ask", mcp: "ask" } as const;
const open = { ...free, edit: "allow", execute: "allow", network: "allow", memory: "allow", mcp: "allow" } as const;

const MODES = {
  default: asking,
  autoEdit: { ...asking, edit: "allow" },
  plan: { ...asking, edit: "deny", execute: "deny", memory: "deny", mcp: "deny" },
  dontAsk: asking,
  auto: open,
  yolo: open,
} as const satisfies Record<Mode, Record<Column, Answer>>;

/** What the mode says where no rule does. */
export const modeAnswer = (mode: Mode, call: PolicyCall): Answer => MODES[mode][call.mcp ? "mcp" : call.effect];

/**
 * Modes in which no question is put to anybody. In `dontAsk` what would be asked is denied; `auto` allows by itself and denies only what
 * an ask rule or a hook wants asked. Source: qoder-cn-observed 11 ("`auto` never asks; `dont_ask` turns ask into deny").
 */
export const neverAsks = (mode: Mode): boolean => mode === "dontAsk" || mode === "auto";

/** Modes that allow what `default` would ask about: only the user's trust in a folder carries that far. Source: qoder-cn-observed 11. */
export const isLoose = (mode: Mode): boolean => mode === "autoEdit" || mode === "auto" || mode === "yolo";

const SPELLINGS: Readonly<Record<string, Mode>> = {
  default: "default",
  autoedit: "autoEdit",
  acceptedits: "autoEdit",
  plan: "plan",
  dontask: "dontAsk",
  auto: "auto",
  yolo: "yolo",
  bypasspermissions: "yolo",
};

/** `auto_edit`, `acceptEdits`, `accept_edits`, `bypass_permissions` and the like to our word; `undefined` for anything else. */
export function parseMode(word: string): Mode | undefined {
  const key = word.toLowerCase().replace(/[_-]/g, "");
  return Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined;
}

/** What people type: the value for `--approval-mode`. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  default: "default",
  autoEdit: "auto_edit",
  plan: "plan",
  dontAsk: "dont_ask",
  auto: "auto",
  yolo: "yolo",
};
