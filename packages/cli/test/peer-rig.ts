// Runs the command as Gemini CLI's own integration rig runs its binary, and reads the telemetry file as that rig does. Source: the study of Gemini CLI, 9.1.
import { readFileSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { type Stage, stage } from "../../agent/test/loop/stage.ts";
import { carabiner, inProcess } from "./agent-run.ts";

type Attributes = Readonly<Record<string, unknown>>;
export interface Rig {
  readonly on: Stage;
  /** Of the test directory, which is the working directory. */
  readonly path: (name: string) => string;
  readonly file: (name: string) => string;
  /** Writes a script into the test directory and gives the command that runs it with Node. */
  readonly script: (name: string, text: string) => string;
  /** The same settings in the project and in the home directory, as the rig writes them: every hook is there twice. */
  readonly setup: (settings: JsonObject) => void;
  /** Rejects unless the exit code is 0; gives stdout, and stderr behind it where there was any. */
  readonly run: (prompt: string, responses?: readonly object[], args?: readonly string[]) => Promise<string>;
  readonly records: (name: "hook_call" | "tool_call" | "api_request") => readonly Attributes[];
  /** Hook records with input and output parsed. */
  readonly hooks: (event?: string) => readonly HookLog[];
}
export interface HookLog {
  readonly hook_event_name: string;
  readonly hook_name: string;
  readonly input: JsonObject;
  readonly output: JsonObject | undefined;
  readonly exit_code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly success: boolean;
}

export interface RigOptions {
  /** What says that the folder needs no decision: a setting of the user's, or the rig's variable. */
  readonly trustedBy?: "setting" | "variable";
  /** The built command as a child process, rather than the command in this one. */
  readonly built?: boolean;
}

export function rig({ trustedBy = "setting", built = false }: RigOptions = {}): Rig {
  const on = stage();
  const home = "peer-home";
  const path = (name: string): string => on.path(`peer/${name}`);
  const telemetry = on.path(`${home}/telemetry.log`);
  const base = {
    general: { enableAutoUpdate: false },
    telemetry: { enabled: true, target: "local", otlpEndpoint: "", outfile: telemetry },
    security: { auth: { selectedType: "gemini-api-key" }, ...(trustedBy === "setting" ? { folderTrust: { enabled: false } } : {}) },
    ui: { useAlternateBuffer: true },
    model: { name: "gemini-3-flash-preview" },
    sandbox: false,
    ide: { enabled: false, hasSeenNudge: true },
  };
  const records: Rig["records"] = (name) => attributesIn(telemetry).filter((found) => found["event.name"] === `gemini_cli.${name}`);
  return {
    on,
    path,
    file: (name) => on.read(`peer/${name}`),
    script: (name, text) => {
      on.write(`peer/${name}`, text);
      return `node "${path(name)}"`;
    },
    setup: (settings) => {
      const text = JSON.stringify({ ...base, ...settings }, null, 2);
      on.write("peer/.gemini/settings.json", text);
      on.write(`${home}/.gemini/settings.json`, text);
    },
    run: async (prompt, responses, args = []) => {
      const fake = responses
        ? ["--fake-responses", on.write("peer/fake-responses.json", responses.map((one) => JSON.stringify(one)).join("\n"))]
        : [];
      const { code, stdout, stderr } = await (built ? carabiner : inProcess)(on, ["--approval-mode=yolo", ...fake, ...args, prompt], {
        cwd: on.path("peer"),
        env: {
          GEMINI_API_KEY: "dummy-key",
          GEMINI_CLI_HOME: on.path(home),
          GEMINI_PTY_INFO: "child_process",
          ...(trustedBy === "variable" ? { GEMINI_CLI_INTEGRATION_TEST: "true" } : {}),
        },
      });
      if (code !== 0) throw new Error(`exit code ${code}\n${stdout}\n${stderr}`);
      return stderr === "" ? stdout : `${stdout}\n\nStdErr:\n${stderr}`;
    },
    records,
    hooks: (event) =>
      records("hook_call")
        .map((found) => ({ ...found, input: parsed(found["hook_input"]), output: parsed(found["hook_output"]) }) as unknown as HookLog)
        .filter(({ hook_event_name }) => event === undefined || hook_event_name === event),
  };
}

/** Records are told apart by a closing brace at the end of a line and an opening one on the next. */
function attributesIn(file: string): readonly Attributes[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // ENOENT: nothing was recorded
  }
  return text
    .split(/}\n{/)
    .map((piece, i, all) => JSON.parse(`${i > 0 ? "{" : ""}${piece}${i < all.length - 1 ? "}" : ""}`) as { attributes?: Attributes })
    .flatMap(({ attributes }) => (attributes ? [attributes] : []));
}
const parsed = (text: unknown): JsonObject | undefined => (typeof text === "string" ? (JSON.parse(text) as JsonObject) : undefined);

const stream = (...chunks: object[]): object => ({ method: "generateContentStream", response: chunks });
const chunk = (parts: object[] | undefined, more: object = {}): object => ({
  candidates: [{ content: { role: "model", ...(parts ? { parts } : {}) }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
});
/** Recorded answers, each with the thought that goes before it. */
export const answers = {
  text: (...texts: string[]): object =>
    stream(
      chunk([{ text: "**Thinking it over**", thought: true }]),
      ...texts.map((text, i) => chunk([{ text }], i === texts.length - 1 ? { finishReason: "STOP" } : {})),
    ),
  call: (name: string, args: object): object =>
    stream(
      chunk([{ text: "**Choosing a tool**", thought: true }]),
      chunk([{ functionCall: { name, args }, thoughtSignature: "c2ln" }]),
      chunk([{ text: "" }], { finishReason: "STOP" }),
    ),
  nothing: (): object => stream(chunk(undefined, { finishReason: "STOP" })),
};
