/** A real model of each provider against a loopback server that speaks its format, and the questions tests ask of it. */
import { onTestFinished } from "vitest";
import {
  type Chunk,
  chooseModel,
  joined,
  type Message,
  type Model,
  type ModelCall,
  ModelError,
  type Part,
  type ToolSchema,
} from "../../src/models/index.ts";
import { type ModelServer, type Reply, startModelServer, type WireFormat } from "../servers/model-server.ts";

/** How each provider is reached. `version` is the path its requests begin with. */
export const stands = {
  gemini: { format: "gemini", base: "GOOGLE_GEMINI_BASE_URL", key: "GEMINI_API_KEY", name: "google/gemini-3.5-flash", version: "/v1beta" },
  openai: { format: "openai", base: "OPENAI_BASE_URL", key: "OPENAI_API_KEY", name: "openai/gpt-5.2", version: "/v1" },
  anthropic: {
    format: "anthropic",
    base: "ANTHROPIC_BASE_URL",
    key: "ANTHROPIC_API_KEY",
    name: "anthropic/claude-sonnet-4-5",
    version: "/v1",
  },
} as const satisfies Record<WireFormat, object>;

export type Stand = (typeof stands)[WireFormat];
export const allStands: readonly Stand[] = Object.values(stands);
export const secret = "key-that-must-not-be-seen";

export async function serve(format: WireFormat, replies: Reply[]): Promise<ModelServer> {
  const server = await startModelServer(format, replies);
  onTestFinished(() => server.close());
  return server;
}

/** The chosen model, talking to `url` with nothing in its environment but the key, the base URL and `env`. */
export function modelAt(stand: Stand, url: string, env: Record<string, string> = {}, notice?: (text: string) => void): Model {
  const choice = chooseModel({ flag: stand.name, cwd: "/", env: { [stand.key]: secret, [stand.base]: url, ...env }, notice });
  if (!choice.ok) throw new Error(choice.message);
  return choice.model;
}

export const readFile: ToolSchema = {
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
export const writeFile: ToolSchema = { ...readFile, name: "write_file", description: "Writes a file." };
export const shell: ToolSchema = { ...readFile, name: "run_shell_command", description: "Runs a command." };

export const said = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

export function ask(
  model: Model,
  call: Partial<ModelCall> = {},
  signal = new AbortController().signal,
  how?: Parameters<Model["stream"]>[2],
): AsyncIterable<Chunk> {
  const whole: ModelCall = { model: model.name, system: undefined, messages: [said("hello")], tools: [], config: {}, ...call };
  return model.stream(whole, signal, how);
}

export async function all(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const got: Chunk[] = [];
  for await (const chunk of chunks) got.push(chunk);
  return got;
}

export const partsOf = (chunks: readonly Chunk[]): Part[] => joined(chunks.flatMap((chunk) => chunk.parts));

/** The error a stream rejects with. */
export async function failureOf(chunks: AsyncIterable<Chunk>): Promise<ModelError> {
  try {
    await all(chunks);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error("the stream did not fail");
}
