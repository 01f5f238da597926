/** One agent in one session: begin, prompts, compression, clear, end. Each event is fired at one visible place. */
import type { Context, Engine, Session, ToolWords, TurnDone } from "@carabiner/engine";
import type { McpTool } from "../mcp/index.ts";
import type { Message, Model, ToolSchema } from "../models/index.ts";
import type { Mode, Rule } from "../permissions/index.ts";
import type { Profile } from "../profiles/index.ts";
import type { Transcript } from "../sessions/index.ts";
import { presentTool, TOOLS } from "../tools/index.ts";
import { type Compressed, type Compressing, compress } from "./compress.ts";
import { type Conversing, converse } from "./converse.ts";
import type { Tell } from "./events.ts";
import { createHistory } from "./history.ts";
import type { Confirm, Toolbox } from "./run-tools.ts";

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
  readonly resumed: boolean;
  readonly cwd: string;
  readonly plansDir: (id: string) => string;
  /** The tools of connected servers as they are now, by the name the model knows. */
  readonly mcp: () => ReadonlyMap<string, McpTool>;
  readonly toolContext: Toolbox["context"];
  readonly mode: () => Mode;
  readonly rules: () => readonly Rule[];
  /** Asks a person about a call; absent: headless. */
  readonly confirm?: Confirm;
  readonly maxTurns: number;
  readonly compressionThreshold: number;
  readonly tell: Tell;
}

export interface Agent {
  readonly sessionId: () => string;
  readonly transcriptPath: () => string;
  readonly messages: () => readonly Message[];
  /** Fires session start once; the first prompt waits for it. */
  readonly begin: () => Promise<void>;
  /** One prompt to its end. Rejects with `TurnsSpent`, a `ModelError`, or the abort's reason. */
  readonly prompt: (text: string, signal: AbortSignal) => Promise<TurnDone>;
  readonly compress: (signal: AbortSignal, instructions?: string) => Promise<Compressed>;
  readonly clear: () => Promise<void>;
  /** Fires session end once, closes the transcript; later calls do nothing. */
  readonly end: (reason: "exit" | "logout" | "promptExit" | "other") => Promise<void>;
}

export function createAgent(options: AgentOptions): Agent {
  const { engine, model, tell } = options;
  const { transcript } = options;
  let session = openSession(options, transcript.path);
  const history = createHistory(options.messages ?? [], (message) => transcript.appendMessage(message));
  const pending = new Set<Promise<unknown>>();
  let opening: readonly Context[] = [];
  let begun: Promise<void> | undefined;
  let ended: Promise<void> | undefined;

  const later = (work: Promise<unknown>): void => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };
  const compressing = (): Compressing => ({
    session,
    model,
    history,
    tell,
    later,
    transcript,
    threshold: options.compressionThreshold,
  });
  const start = async (source: "startup" | "resume" | "clear"): Promise<void> => {
    const { context } = await session.fire("sessionStart", { source, model: model.name });
    opening = [...opening, ...context];
  };
  const conversing = (promptId: string): Conversing => ({
    asking: { session, model, tell, promptId, agent: undefined },
    box: toolbox(options, session, promptId),
    history,
    compressing: compressing(),
    system: options.system,
    schemas: () => schemasOf(options),
    maxTurns: options.maxTurns,
  });

  return {
    sessionId: () => session.id,
    transcriptPath: () => transcript.path,
    messages: () => history.messages(),
    begin: () => {
      begun ??= start(options.resumed ? "resume" : "startup");
      return begun;
    },
    prompt: async (text, signal) => {
      let entered = false;
      const done = await session.turn(
        text,
        async (asked, { context, retrying }) => {
          entered = true;
          tell({ kind: "prompt", text: asked, origin: retrying ? "retry" : "user" });
          if (opening.length > 0) history.add({ role: "user", parts: opening.map(({ framed }) => ({ type: "text", text: framed })) });
          opening = [];
          history.addPrompt(asked, context);
          try {
            return await converse(conversing(session.id), signal);
          } finally {
            history.endTurn();
          }
        },
        {
          signal,
          clear: () => {
            history.replace([]);
            transcript.clear(session.id);
          },
        },
      );
      // A prompt that was stopped before the agent saw it stays in history; one that was refused does not. Source: the Gemini contract, BeforeAgent.
      if (!entered && done.keepsPrompt) history.add({ role: "user", parts: [{ type: "text", text }] });
      return done;
    },
    compress: (signal, instructions) => compress(compressing(), "manual", signal, instructions),
    clear: async () => {
      await session.fire("sessionEnd", { reason: "clear" });
      const next = session.clear();
      transcript.clear(next.id);
      session = next;
      history.replace([]);
      opening = [];
      await start("clear");
    },
    end: (reason) => {
      ended ??= (async () => {
        await session.fire("sessionEnd", { reason });
        tell({ kind: "sessionEnded", id: session.id, reason });
        await Promise.allSettled(pending);
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

function toolbox(options: AgentOptions, session: Session, promptId: string): Toolbox {
  const names = (): readonly string[] => schemasOf(options).map(({ name }) => name);
  return {
    session,
    words: options.words,
    profile: options.profile,
    has: (name) => options.words.tools.some((word) => word.name === name || word.aliases?.includes(name)),
    names,
    mcp: options.mcp(),
    context: options.toolContext,
    mode: options.mode,
    rules: options.rules,
    confirm: options.confirm,
    tell: options.tell,
    promptId,
    agent: undefined,
  };
}

function schemasOf({ words, mcp }: AgentOptions): readonly ToolSchema[] {
  const own = TOOLS.flatMap((tool) => presentTool(tool, words) ?? []);
  const foreign = [...mcp()].map(([name, { description, inputSchema }]) => ({ name, description, parameters: inputSchema }));
  return [...own, ...foreign];
}
