/** A session: what common stdin says, which `once` hooks are spent, and the brackets around what a host does. */
import { randomUUID } from "node:crypto";
import type { Dialect, SessionWords } from "../dialects/index.ts";
import { type AgentIdentity, type Entry, EVENTS, type EventName, type ModelRequest, type ToolCall } from "../protocol/index.ts";
import { fireIn, type Scope } from "./fire.ts";
import { type ChunkCodec, type ModelChange, type ModelOptions, throughModel } from "./model.ts";
import { createOnceHooks, type OnceHooks } from "./once.ts";
import { type Firing, HooksError, type SessionOptions } from "./options.ts";
import { type RunTool, runTool, runTools, type ToolDone, type ToolOptions, type ToolsOptions, type ToolWorld } from "./tool.ts";
import { type RunTurn, runTurn, type TurnDone, type TurnOptions } from "./turn.ts";
import type { World } from "./world.ts";

/** Where a host fires events. `agent` gives the scope of a sub-agent; `clear` a new session id, as after /clear, with the rest kept. */
export interface Session extends Firing {
  readonly agent: (agent: AgentIdentity) => Session;
  readonly clear: (id?: string, transcriptPath?: string) => Session;
  /** beforeTool, permission, the tool, afterTool, tail calls (bounded). Resolves to what the model should read. */
  readonly tool: (call: ToolCall, run: RunTool, options?: ToolOptions) => Promise<ToolDone>;
  /** Calls of one model message: all are decided before any runs, and a stop keeps the siblings from starting. */
  readonly tools: (calls: readonly ToolCall[], run: RunTool, options?: ToolsOptions) => Promise<readonly ToolDone[]>;
  /** beforeAgent, the turn, afterAgent and its retries (bounded by `carabiner.maxRetries`). */
  readonly turn: (prompt: string, run: RunTurn, options?: TurnOptions) => Promise<TurnDone>;
  /** beforeModel, beforeToolSelection, the call, afterModel on each chunk in order. */
  readonly model: <C>(
    request: () => ModelRequest,
    call: (change: ModelChange) => AsyncIterable<C>,
    codec: ChunkCodec<C>,
    options?: ModelOptions,
  ) => AsyncGenerator<C, void, undefined>;
}

export interface SessionWorld extends World {
  readonly projectDir: string;
}

export function createSession(
  world: SessionWorld,
  options: SessionOptions,
  agent?: AgentIdentity,
  once: OnceHooks = createOnceHooks(),
): Session {
  const id = options.id ?? randomUUID();
  const known: SessionOptions = { ...options, id };
  const words = (firedAt: string): SessionWords => ({
    id,
    cwd: options.cwd?.() ?? world.projectDir,
    projectDir: world.projectDir,
    transcriptPath: options.transcriptPath ?? "",
    plansDir: options.plansDir ?? "",
    permissionMode: options.permissionMode?.() ?? "default",
    agent,
    firedAt,
  });
  const scope: Scope = { id, agent, words, once };
  const firing: Firing = {
    id,
    listens: (event) => world.current(specOf(event).midStream === true).plans.listens(event),
    fire: (event, facts, fireOptions) => {
      try {
        specOf(event);
        return fireIn(world, scope, event, facts, fireOptions);
      } catch (error) {
        // Not an async function: a quiet firing hands out a promise that is there already.
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
    mayRefuse: (event, facts) => {
      specOf(event);
      const { plans, dialects } = world.current(false);
      return plans.of(event, facts).plan.candidates.some((entry) => mayRefuse(entry, dialects));
    },
    plan: (event, facts) => {
      specOf(event);
      return world.current(false).plans.of(event, facts).plan;
    },
  };
  const nameOf = (id: string): string => world.current(true).registry.entries.find((entry) => entry.id === id)?.name ?? id;
  const toolWorld: ToolWorld = { firing, emit: world.emit, nameOf, maxTailCalls: () => world.current(true).limits.maxTailCalls };
  const turnWorld = { firing, emit: world.emit, nameOf, maxRetries: () => world.current(true).limits.maxRetries };
  return {
    ...firing,
    agent: (identity) => createSession(world, known, identity, once),
    clear: (newId = randomUUID(), transcriptPath = options.transcriptPath ?? "") =>
      createSession(world, { ...options, id: newId, transcriptPath }, agent, once),
    tool: (call, run, toolOptions) => runTool(toolWorld, call, run, toolOptions),
    tools: (calls, run, toolOptions) => runTools(toolWorld, calls, run, toolOptions),
    turn: (prompt, run, turnOptions) => runTurn(turnWorld, prompt, run, turnOptions),
    model: (request, call, codec, modelOptions) => throughModel(firing, request, call, codec, modelOptions),
  };
}

/** A function may say anything; a dialect's row says by itself whether it can be refused. */
function mayRefuse({ dialect: id, wireName }: Entry, dialects: ReadonlyMap<string, Dialect>): boolean {
  const row = id === undefined ? undefined : dialects.get(id)?.rows[wireName];
  return row === undefined || row.exit2 === "deny";
}

function specOf(event: EventName): { readonly midStream?: true } {
  if (!Object.hasOwn(EVENTS, event))
    throw new HooksError("UNKNOWN_EVENT", `"${String(event)}" is not an event. The events are: ${Object.keys(EVENTS).join(", ")}.`);
  return EVENTS[event];
}
