/** The two prompts that are no task: `/compress [wishes]` makes the history short, `/clear` begins a new session in the same transcript. */
import type { OpenedAgent } from "@carabiner/agent";
import type { TurnDone } from "@carabiner/engine";

type Agent = OpenedAgent["agent"];
/** Acts on the agent and resolves to what people are told. Rejects as the model does. */
type Slash = (agent: Agent, wishes: string, signal: AbortSignal) => Promise<string>;

const COMPRESSED = {
  done: "The history is compressed.",
  nothing: "The history is too short to be compressed.",
  cancelled: "The history stays as it is.",
  failed: "The history stays as it is: there is no summary to put in its place.",
} as const;

const SLASHES: Readonly<Record<string, Slash>> = {
  compress: async (agent, wishes, signal) => COMPRESSED[await agent.compress(signal, wishes === "" ? undefined : wishes)],
  clear: async (agent) => {
    await agent.clear();
    return `A new session has begun: ${agent.sessionId()}.`;
  },
};

/** `undefined`: the prompt is a task like any other, a path that begins with a slash included. */
export function slashOf(prompt: string): ((agent: Agent, signal: AbortSignal) => Promise<string>) | undefined {
  const found = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
  const name = found?.[1] ?? "";
  const slash = Object.hasOwn(SLASHES, name) ? SLASHES[name] : undefined;
  return slash && ((agent, signal) => slash(agent, (found?.[2] ?? "").trim(), signal));
}

/** A turn in which nothing was asked and nothing answered. */
export const NO_TURN: TurnDone = {
  ended: "answered",
  answer: undefined,
  reason: undefined,
  ends: undefined,
  keepsPrompt: false,
  unheard: undefined,
  tries: 0,
  messages: [],
};
