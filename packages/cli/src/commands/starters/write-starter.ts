/** Turns an order for a starter into a script in the language asked for, what it does, and examples to try it with. */
import type { EventName, JsonObject, ToolWords } from "@carabiner/engine";
import { inputFields, jsDocType, subjectField, tsType } from "./input-type.ts";
import { NODE } from "./node.ts";
import { PYTHON } from "./python.ts";
import { SH } from "./sh.ts";
import type { Example, Kind, Language, Starter, StarterOrder } from "./starter.ts";
import { type Words, wordsOf } from "./words.ts";

/** What a first script for an event is good for: refusing where something can be refused, adding or changing where it can be, noting elsewhere. */
const KINDS: Readonly<Record<EventName, Kind>> = {
  sessionStart: "context",
  sessionEnd: "log",
  beforeAgent: "prompt",
  afterAgent: "check",
  beforeModel: "request",
  beforeToolSelection: "tools",
  afterModel: "redact",
  beforeTool: "guard",
  permissionRequest: "guard",
  afterTool: "log",
  subagentStart: "context",
  subagentStop: "check",
  beforeCompress: "log",
  notification: "log",
};

/** What a matcher lets through, as far as it is known. */
export interface Matched {
  readonly tool?: string | undefined;
  readonly subject?: string | undefined;
}

/** A guard of commands where the matcher lets the shell tool through, of files where it names other tools only. */
export function kindOf({ row, dialect }: StarterOrder, matchesShell: boolean): Kind {
  const kind = KINDS[row.on];
  return kind === "guard" && !(matchesShell && shellOf(dialect.tools)) ? "paths" : kind;
}

/** `examples` are for the tool, or for the event's subject, that the matcher lets through. */
export function writeStarter(order: StarterOrder, kind: Kind, lang: Language, matched: Matched): Starter {
  const words = wordsOf(order);
  const { does, reason } = TEXTS[kind](order, lang);
  return {
    does,
    text: `${head(order, words, lang, does)}${bodyOf(order, words, lang, kind, reason)}`,
    examples: examplesOf(order, kind, matched),
  };
}

/** The matcher that a guard of commands has when nobody names one: the shell tool. */
export const shellOf = ({ tools }: ToolWords): string | undefined => tools.find(({ kind }) => kind === "shell")?.name;

function bodyOf(order: StarterOrder, words: Words, lang: Language, kind: Kind, reason: string): string {
  if (lang === "sh") return SH[kind](words, reason);
  if (lang === "python") return PYTHON[kind](words, reason);
  const { imports = "", body } = NODE[kind](words, reason);
  const fields = inputFields(order.dialect, order.row, order.wireName);
  const [type, declaration] =
    lang === "node"
      ? [jsDocType(fields, order.wireName), "/** @type {HookInput} */\nconst event = JSON.parse(input);"]
      : [tsType(fields, order.wireName), "const event: HookInput = JSON.parse(input);"];
  return `${imports}${type}\n\nlet input = "";\nfor await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;\n${declaration}\n\n${body}`;
}

const SHEBANG: Readonly<Record<Language, string>> = {
  sh: "#!/bin/sh",
  python: "#!/usr/bin/env python3",
  node: "#!/usr/bin/env node\n// @ts-check",
  ts: "#!/usr/bin/env node",
};

function head({ row }: StarterOrder, { event, refusal }: Words, lang: Language, does: string): string {
  const comment = lang === "sh" || lang === "python" ? "#" : "//";
  const exit2 = {
    deny: "exit 2   refuse; stderr is the reason",
    context: "exit 2   go on; stderr is told to the model",
    ignored: "exit 2   nothing: this event cannot be refused with it",
  }[row.exit2];
  const lines = [
    `Hook for ${event}. ${does}`,
    "",
    "It reads one JSON object on stdin. What it says:",
    `  exit 0   go on; a JSON object on stdout may say more${refusal === undefined ? "" : ", also no"}`,
    `  ${exit2}`,
    "  other    a warning, and go on",
  ];
  return `${SHEBANG[lang]}\n${lines.map((line) => `${comment} ${line}`.trimEnd()).join("\n")}\n\n`;
}

/** Reasons stand between double quotes in three languages: no quotes, dollars, backslashes or backticks in them. */
const TEXTS: Readonly<Record<Kind, (order: StarterOrder, lang: Language) => { readonly does: string; readonly reason: string }>> = {
  guard: ({ name }) => ({
    does: "Refuses commands that delete recursively from an absolute path.",
    reason: `${name}: deleting recursively from an absolute path is not allowed here. Delete inside the project, with a relative path.`,
  }),
  paths: ({ name }) => ({
    does: "Refuses calls that name .env files or private keys.",
    reason: `${name}: files that hold secrets are off limits.`,
  }),
  prompt: ({ name }) => ({
    does: "Refuses prompts that hold a private key or an access token.",
    reason: `${name}: the prompt holds something that looks like a private key or an access token.`,
  }),
  request: ({ name }, lang) =>
    lang === "sh"
      ? {
          does: "Refuses requests to the model that hold a private key or an access token.",
          reason: `${name}: the conversation holds something that looks like a private key or an access token.`,
        }
      : { does: "Takes private keys and access tokens out of what the model is sent.", reason: "" },
  redact: ({ name }, lang) =>
    lang === "sh"
      ? {
          does: "Throws away answers that hold a private key or an access token.",
          reason: `${name}: the answer held something that looks like a private key or an access token.`,
        }
      : { does: "Takes private keys and access tokens out of what the model says.", reason: "" },
  check: () => ({
    does: "Sends the agent round again while git finds conflict markers or stray white space.",
    reason: "Please correct what git diff --check finds:",
  }),
  context: () => ({ does: "Tells the model the date and the state of the git branch.", reason: "" }),
  tools: ({ settingsDir }) => ({ does: `Leaves the model the tools that only read, while ${settingsDir}/read-only exists.`, reason: "" }),
  log: ({ settingsDir, name }) => ({ does: `Adds each event to ${settingsDir}/${name}.jsonl.`, reason: "" }),
};

const PRETEND_TOKEN = `AKIA${"EXAMPLE".repeat(3).slice(0, 16)}`;

function examplesOf(order: StarterOrder, kind: Kind, { tool, subject }: Matched): readonly Example[] {
  const { dialect, wireName, row } = order;
  // Nothing is known that the matcher lets through.
  if ("tool" in row.example && tool === undefined) return [];
  const call = (says: string, input: JsonObject): Example => ({
    says,
    fields: { tool_name: tool ?? "", tool_input: input },
  });
  const word = dialect.tools.tools.find(({ name, aliases }) => name === tool || aliases?.includes(tool ?? ""));
  const argument = word?.main ?? "file_path";
  switch (kind) {
    case "guard":
      return ["ls", "rm -rf /tmp/example"].map((command) => call(`the command "${command}"`, { [argument]: command }));
    case "paths":
      return ["notes.txt", ".env"].map((path) => call(`${argument} "${path}"`, { [argument]: path }));
    case "prompt":
      return [
        { says: "an ordinary prompt", fields: {} },
        { says: "a prompt with an access token", fields: { prompt: `Use ${PRETEND_TOKEN}.` } },
      ];
    case "redact":
      return [
        { says: "an ordinary answer", fields: {} },
        {
          says: "an answer with an access token",
          fields: {
            llm_response: { candidates: [{ content: { role: "model", parts: [`It is ${PRETEND_TOKEN}.`] }, finishReason: "STOP" }] },
          },
        },
      ];
    case "request":
      return [
        { says: "an ordinary request", fields: {} },
        {
          says: "a request with an access token",
          fields: { llm_request: { messages: [{ role: "user", content: `Use ${PRETEND_TOKEN}.` }] } },
        },
      ];
    default: {
      const field = subject === undefined ? undefined : subjectField(order);
      const named = field === undefined ? (tool === undefined ? {} : { tool_name: tool }) : { [field]: subject ?? "" };
      return [{ says: `an example of ${wireName}`, fields: named }];
    }
  }
}
