/** One sub-agent from its task to its answer: its own conversation and tools, the same hooks, bounded by its parent. */
import { randomUUID } from "node:crypto";
import { Refused, type Session } from "@carabiner/engine";
import type { AgentDefinition } from "../agents/index.ts";
import type { Transcript } from "../sessions/index.ts";
import type { ToolOutput } from "../tools/index.ts";
import { type Conversing, converse, TurnsSpent } from "./converse.ts";
import { createHistory } from "./history.ts";

export interface Subagents {
  readonly session: Session;
  /** How often hooks may send a sub-agent back to work. */
  readonly maxRetries: number;
  readonly openTranscript: (agentId: string) => Transcript;
  /** The conversation of one sub-agent, in the scope of its session. */
  readonly conversing: (
    definition: AgentDefinition,
    session: Session,
    history: ReturnType<typeof createHistory>,
    transcript: Transcript,
    agentId: string,
  ) => Conversing;
  /** A hook stopped the agent from inside a sub-agent: the parent's turn ends too. */
  readonly halt: (stop: { readonly ends: "turn" | "session"; readonly reason: string }) => void;
  readonly notice: (text: string) => void;
}

/** Never rejects but for an abort: what goes wrong with it is what the parent's model reads. */
export async function runSubagent(
  parent: Subagents,
  definition: AgentDefinition,
  prompt: string,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const agent = { id: `${fileName(definition.name)}-${randomUUID().slice(0, 8)}`, type: definition.name };
  const session = parent.session.agent(agent);
  const transcript = parent.openTranscript(agent.id);
  const history = createHistory([], transcript.appendMessage);
  const conversing = parent.conversing(definition, session, history, transcript, agent.id);
  try {
    const { context } = await session.fire("subagentStart", { agent }, { signal });
    history.addPrompt(prompt, context);
    for (let tries = 1; ; tries++) {
      const response = await converse(conversing, signal);
      const done = await session.fire("subagentStop", { agent, response, retrying: tries > 1 }, { signal });
      if (done.action === "stop") parent.halt(done);
      if (done.action !== "retry") return { content: response };
      if (tries > parent.maxRetries) {
        parent.notice(
          `Hooks sent the sub-agent ${definition.name} back to work ${parent.maxRetries} times, which is the limit. Its last answer stands.`,
        );
        return { content: response };
      }
      if (done.clearContext) history.replace([]);
      history.addPrompt(done.prompt, []);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof Refused && error.how === "stopped") parent.halt({ ends: error.ends, reason: error.reason });
    const why = error instanceof Refused ? error.reason : error instanceof Error ? error.message : String(error);
    const message =
      error instanceof TurnsSpent ? spent(definition, why) : `The sub-agent ${definition.name} ended without an answer: ${why}`;
    return { content: message, error: { message, type: "execution_failed" } };
  } finally {
    transcript.close();
  }
}

/** The id names the transcript: whatever the name is, it stays a name of a file. */
const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40);

/** Who sets the limit can raise it. */
const spent = ({ name, maxTurns, file }: AgentDefinition, why: string): string =>
  maxTurns === undefined
    ? why
    : `The sub-agent ${name} used up its ${maxTurns} turn${maxTurns === 1 ? "" : "s"} without a final answer. max_turns in ${file} allows more.`;
