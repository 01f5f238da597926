/** One agent in one session: begin, prompts, compression, clear, end. Each event is fired at one visible place. */
import type { Context, Engine, Session, ToolDone, ToolWords, TurnDone } from "@carabiner/engine";
import { type AgentDefinition, spawnTool, toolTest } from "../agents/index.ts";
import type { McpTool } from "../mcp/index.ts";
import type { Message, Model, ToolSchema } from "../models/index.ts";
import type { Mode, Rule } from "../permissions/index.ts";
import { type Profile, wordingOf } from "../profiles/index.ts";
import type { Transcript } from "../sessions/index.ts";
import { createTaskList, type Task } from "../tasks/index.ts";
import { presentTool, TOOLS, type Tool, type ToolContext } from "../tools/index.ts";
import { type Compressed, compress } from "./compress.ts";
import { type Conversing, converse } from "./converse.ts";
import type { Tell } from "./events.ts";
import { contextParts, createHistory, type History } from "./history.ts";
import type { Confirm, Toolbox } from "./run-tools.ts";
import { runSubagent, type Subagents } from "./subagent.ts";

export interface AgentOptions {
  readonly engine: Engine;
  readonly profile: Profile;
  readonly words: ToolWords;
  readonly model: Model;
  readonly system: string;
  readonly sessionId: string;
  readonly transcript: Transcript;
  /** Of a resumed session. */
  readonly messages?: readonly Message[];
  readonly tasks?: readonly Task[];
  readonly resumed: boolean;
  readonly cwd: string;
  readonly plansDir: (id: string) => string;
  /** The tools of connected servers as they are now, by the name the model knows. */
  readonly mcp: () => ReadonlyMap<string, McpTool>;
  /** What tools may use of the world; the list of tasks is the agent's own. */
  readonly toolContext: (...asked: Parameters<Toolbox["context"]>) => Omit<ToolContext, "tasks">;
  readonly mode: () => Mode;
  readonly rules: () => readonly Rule[];
  /** No other tool of our own may be used than these allow; absent: all may. */
  readonly only?: readonly Rule[] | undefined;
  /** Asks a person about a call; absent: headless. */
  readonly confirm?: Confirm;
  /** The kinds of sub-agents there are, the transcript of one, and the model that one may name. */
  readonly agents: readonly AgentDefinition[];
  readonly subagentTranscript: (agentId: string) => Transcript;
  readonly modelNamed: (name: string) => Model;
  readonly maxTurns: number;
  readonly compressionThreshold: number;
  readonly tell: Tell;
}

export interface Agent {
  readonly sessionId: () => string;
  readonly transcriptPath: () => string;
  readonly messages: () => readonly Message[];
  /** Fires session start once; the first prompt waits for it. An abort ends its hooks. */
  readonly begin: (signal?: AbortSignal) => Promise<void>;
  /** One prompt to its end. Rejects with `TurnsSpent`, a `ModelError`, or the abort's reason. */
  readonly prompt: (text: string, signal: AbortSignal) => Promise<TurnDone>;
  readonly compress: (signal: AbortSignal, instructions?: string) => Promise<Compressed>;
  readonly clear: () => Promise<void>;
  /** Fires session end once, closes the transcript; later calls do nothing. */
  readonly end: (reason: "exit" | "logout" | "promptExit" | "other") => Promise<void>;
}

interface Conversation {
  readonly session: Session;
  readonly history: History;
  readonly transcript: Transcript;
  readonly agentId: string | undefined;
  readonly definition: AgentDefinition | undefined;
}

export function createAgent(options: AgentOptions): Agent {
  const { engine, model, tell } = options;
  const { transcript } = options;
  let session = openSession(options, transcript.path);
  const history = createHistory(options.messages ?? [], (message) => transcript.appendMessage(message));
  const tasks = createTaskList(options.tasks ?? [], (task) => transcript.keepTask(task));
  const pending = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let opening: readonly Context[] = [];
  let begun: Promise<void> | undefined;
  let ended: Promise<void> | undefined;

  const later = (work: Promise<unknown>): void => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };
  const start = async (source: "startup" | "resume" | "clear", signal?: AbortSignal): Promise<void> => {
    const { context } = await session.fire("sessionStart", { source, model: model.name }, signal ? { signal } : {});
    opening = [...opening, ...context];
  };
  /** With a person, what a session begins with is a turn of its own; without, it goes before the prompt. Source: the Gemini contract, SessionStart. */
  const enter = (prompt: string, context: readonly Context[]): void => {
    const before = opening;
    opening = [];
    if (options.confirm && before.length > 0) history.add({ role: "user", parts: contextParts(before) });
    history.addPrompt(prompt, context, options.confirm ? [] : before);
  };
  let halted: ToolDone["stop"];
  /** One agent's conversation in this session; `definition` for a sub-agent, which may not start others. */
  const conversing = (scope: Conversation): Conversing => {
    const { agentId, definition } = scope;
    const tools =
      definition || options.agents.length === 0
        ? TOOLS
        : [...TOOLS, spawnTool(options.agents, (chosen, task, signal) => runSubagent(subagents(), chosen, task, signal))];
    // Asked anew for every request: a server may change its list of tools in the middle of a turn.
    const offered = () => toolsOf(options, tools, definition);
    const asked = definition?.model === undefined ? model : options.modelNamed(definition.model);
    return {
      asking: { session: scope.session, model: asked, tell, promptId: session.id, agent: agentId },
      box: () => {
        const { own, foreign, schemas } = offered();
        return {
          session: scope.session,
          words: options.words,
          profile: options.profile,
          tools: own,
          names: schemas.map(({ name }) => name),
          mcp: foreign,
          context: (...about) => ({ ...options.toolContext(...about), tasks }),
          mode: options.mode,
          rules: options.rules,
          only: options.only,
          confirm: options.confirm,
          tell,
          promptId: session.id,
          agent: agentId,
          halted: () => halted,
        };
      },
      history: scope.history,
      compressing: {
        session: scope.session,
        model: asked,
        history: scope.history,
        transcript: scope.transcript,
        tell,
        later,
        threshold: options.compressionThreshold,
        closing: closing.signal,
      },
      system: definition ? `${options.system}\n\n${definition.prompt}` : options.system,
      schemas: () => offered().schemas,
      maxTurns: definition?.maxTurns ?? options.maxTurns,
    };
  };
  const subagents = (): Subagents => ({
    session,
    maxRetries: engine.snapshot().carabiner.maxRetries,
    openTranscript: options.subagentTranscript,
    conversing: (definition, scoped, own, ownTranscript, agentId) =>
      conversing({ session: scoped, history: own, transcript: ownTranscript, agentId, definition }),
    halt: (stop) => {
      halted ??= { ends: stop.ends, reason: stop.reason };
    },
    notice: (text) => tell({ kind: "notice", level: "warning", text }),
  });
  const main = (): Conversing => conversing({ session, history, transcript, agentId: undefined, definition: undefined });

  return {
    sessionId: () => session.id,
    transcriptPath: () => transcript.path,
    messages: () => history.messages(),
    begin: (signal) => {
      begun ??= start(options.resumed ? "resume" : "startup", signal);
      return begun;
    },
    prompt: async (text, signal) => {
      const done = await session.turn(
        text,
        async (asked, { context, retrying }) => {
          halted = undefined;
          tell({ kind: "prompt", text: asked, origin: retrying ? "retry" : "user" });
          enter(asked, context);
          try {
            return await converse(main(), signal);
          } finally {
            history.endTurn();
          }
        },
        {
          signal,
          clear: () => {
            history.replace([]);
            transcript.clear(session.id);
            tell({ kind: "notice", level: "info", text: "Conversation context has been cleared." });
          },
        },
      );
      // A prompt that was stopped before the agent saw it stays in history, a retry's too; one that was refused does not. Source: the Gemini contract, BeforeAgent.
      if (done.unheard) enter(done.unheard.prompt, done.unheard.context);
      // To hooks an abort is a stop; to whoever aborted it is not the hooks' doing.
      if (done.ended !== "answered") signal.throwIfAborted();
      // Also where hooks were not content with the last answer, and it stands.
      if ((done.ended === "answered" || done.ended === "retriesSpent") && options.confirm)
        await session.fire("notification", { type: "result", message: "The answer is complete.", title: "Done" }, { signal });
      return done;
    },
    compress: (signal, instructions) => compress(main().compressing, "manual", signal, instructions),
    clear: async () => {
      await session.fire("sessionEnd", { reason: "clear" });
      const next = session.clear();
      transcript.clear(next.id);
      session = next;
      history.replace([]);
      tasks.clear();
      opening = [];
      await start("clear");
    },
    end: (reason) => {
      ended ??= (async () => {
        await session.fire("sessionEnd", { reason });
        tell({ kind: "sessionEnded", id: session.id, reason });
        const bound = setTimeout(() => closing.abort(), END_MS);
        while (pending.size > 0) await Promise.allSettled(pending);
        clearTimeout(bound);
        closing.abort();
        transcript.close();
        await engine.dispose();
      })();
      return ended;
    },
  };
}

function openSession(options: AgentOptions, transcriptPath: string): Session {
  return options.engine.session({
    id: options.sessionId,
    transcriptPath,
    plansDir: options.plansDir(options.sessionId),
    cwd: () => options.cwd,
    permissionMode: options.mode,
  });
}

/** How long the end waits for hooks that nothing else waited for; then they are ended. */
const END_MS = 500;

/** The tools one agent has: those of the product that its definition names, or all. */
function toolsOf(
  { engine, words, mcp, profile, confirm, only }: AgentOptions,
  tools: readonly Tool[],
  definition: AgentDefinition | undefined,
) {
  const test = definition && toolTest(definition, [words, ...engine.dialects.map((dialect) => dialect.tools)]);
  // Where nobody can be asked, a tool that asks is no tool.
  const nameOf = ({ kind }: Tool): string => words.tools.find((word) => word.kind === kind)?.name ?? "";
  const useful = tools
    .filter(({ effect }) => effect !== "ask" || confirm !== undefined)
    .filter(({ kind }) => only?.some(({ tool }) => tool.text === "*" || tool.kinds.includes(kind)) ?? true);
  const own = useful.filter(({ kind }) => words.tools.some((word) => word.kind === kind) && (test?.own(kind) ?? true));
  const foreign = new Map([...mcp()].filter(([name, { origin }]) => test?.mcp(name, origin) ?? true));
  const schemas: readonly ToolSchema[] = [
    ...own.flatMap((tool) => presentTool(tool, words, wordingOf(profile, nameOf(tool))) ?? []),
    ...[...foreign].map(([name, { description, inputSchema }]) => ({ name, description, parameters: inputSchema })),
  ];
  return { own, foreign, schemas };
}
