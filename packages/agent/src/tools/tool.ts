/** What a tool is, what it is given and what it hands back: the values that every tool of the agent is written in. */
import type { Json, JsonObject, ToolKind } from "@carabiner/engine";
import type { TaskList } from "../tasks/index.ts";

/** What running the tool does to the world; approvals decide by it. */
export type Effect = "read" | "edit" | "execute" | "network" | "ask" | "memory" | "plan";

/** One neutral argument: its JSON Schema (without the description), what it means, whether a call without it is refused. */
export interface ArgSpec {
  readonly schema: JsonObject;
  readonly describe: string;
  readonly required: boolean;
}

/** A neutral argument name -> the name that the model knows. Messages for the model use it. */
export type ArgName = (neutral: string) => string;

/** The known arguments, or one line a problem, each beginning with the name of the argument. */
export type Checked = { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly problem: string };

/**
 * A tool in neutral words. A product's words are laid over it by `presentTool` and `toNeutral`.
 *
 * Contract: `check` never throws; `value` holds the known arguments only. `confirmation` and `run` take a checked `value` and throw a
 * TypeError for anything else. `confirmation` changes nothing. `run` never rejects otherwise: what goes wrong is `ToolOutput.error`.
 */
export interface Tool {
  readonly kind: ToolKind;
  readonly describe: string;
  readonly args: Readonly<Record<string, ArgSpec>>;
  readonly effect: Effect;
  readonly check: (input: JsonObject, say?: ArgName) => Checked;
  readonly confirmation: (input: JsonObject, ctx: ToolContext) => Promise<ConfirmDetails>;
  readonly run: (input: JsonObject, ctx: ToolContext) => Promise<ToolOutput>;
}

/** What a tool may use of the world. Everything that differs between machines, people and products is in here. */
export interface ToolContext {
  /** Relative paths start here. */
  readonly cwd: string;
  /** The folders that file tools may touch, absolute. */
  readonly roots: readonly string[];
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly limits: ToolLimits;
  /** Of the session: its sub-agents have the same. */
  readonly tasks: TaskList;
  /** Ignore files of the product, looked for in each root. Default: `[".geminiignore"]`. */
  readonly ignoreFiles?: readonly string[];
  /** Where remembered facts go. Default: `<home>/.gemini/GEMINI.md` under "Gemini Added Memories". */
  readonly memory?: { readonly file: string; readonly heading: string };
  /** Called with each piece of a command's output as it comes. Must not throw. */
  readonly onOutput?: (text: string) => void;
  /** Puts questions to a person. `undefined` means that the person dismissed them. Without it there is no person. */
  readonly askUser?: (questions: readonly Question[]) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Used for web requests instead of our own; addresses are then checked before the request, not while connecting. */
  readonly fetch?: typeof fetch;
}

/** Bounds on what a tool may take, give and wait for. `DEFAULT_LIMITS` has the usual values. */
export interface ToolLimits {
  /** For a shell command that names no time of its own. */
  readonly shellTimeoutMs: number;
  /** The most that a shell command may ask for. */
  readonly maxShellTimeoutMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Kept of a command's output: the head and the tail of it. */
  readonly maxOutputBytes: number;
  /** Text of files that one call may hand to the model. */
  readonly maxTextBytes: number;
  /** Lines that one read hands to the model when no range is given. */
  readonly maxLines: number;
  /** A line is cut after this many characters. */
  readonly maxLineChars: number;
  /** A larger file is not opened at all. */
  readonly maxFileBytes: number;
  /** The largest image or PDF handed to the model. */
  readonly maxMediaBytes: number;
  /** Files that one listing or one read of many files names. */
  readonly maxFiles: number;
  /** Lines that one search reports when the call names no number. */
  readonly maxMatches: number;
  /** For one whole search. */
  readonly searchTimeoutMs: number;
  /** Read of one web page, after decompression. */
  readonly maxFetchBytes: number;
  /** For one web page, redirects included. */
  readonly fetchTimeoutMs: number;
  /** Lets web requests reach loopback, private and link-local addresses. */
  readonly allowPrivateAddresses: boolean;
}

/**
 * What a tool hands back. `content` is for the model: a string, or parts `{text}` and `{inlineData: {mimeType, data}}`. `display` is for
 * people. `error` is there when the tool could not do its work. `failed` marks a command that ran and did not succeed (non-zero exit,
 * signal, time limit): whether that counts as a failed tool is the product's affair.
 */
export interface ToolOutput {
  readonly content: Json;
  readonly display?: Json;
  readonly error?: { readonly message: string; readonly type: FailureType };
  readonly failed?: boolean;
  /** Of a command that ended by itself. */
  readonly exitCode?: number;
}

/** Why a tool could not do its work. Source: the `error.type` words that Gemini CLI hooks see in `tool_response`. */
export type FailureType =
  | "invalid_tool_params"
  | "path_not_in_workspace"
  | "file_not_found"
  | "file_too_large"
  | "target_is_directory"
  | "path_is_not_a_directory"
  | "permission_denied"
  | "read_content_failure"
  | "file_write_failure"
  | "edit_no_occurrence_found"
  | "edit_expected_occurrence_mismatch"
  | "edit_no_change"
  | "attempt_to_create_existing_file"
  | "grep_execution_error"
  | "shell_execute_error"
  | "web_fetch_processing_error"
  | "no_user"
  | "cancelled"
  | "execution_failed";

/** What a person is asked before a tool runs. Source: gemini-cli hooks, Notification `details`. */
export type ConfirmDetails =
  | {
      readonly type: "edit";
      readonly title: string;
      readonly fileName: string;
      readonly filePath: string;
      readonly fileDiff: string;
      readonly originalContent: string;
      readonly newContent: string;
    }
  | { readonly type: "exec"; readonly title: string; readonly command: string; readonly rootCommand: string }
  | { readonly type: "info"; readonly title: string; readonly prompt: string; readonly urls?: readonly string[] }
  | { readonly type: "ask_user"; readonly title: string; readonly questions: readonly Question[] };

/** One question for a person. `choice` needs options; `yesno` and `text` have none. */
export type Question = {
  readonly question: string;
  readonly header: string;
  readonly type: "choice" | "text" | "yesno";
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
  readonly placeholder?: string;
};
