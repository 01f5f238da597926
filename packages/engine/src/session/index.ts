/** The door of the room `session`: what a host talks to. */
export type { Engine } from "./engine.ts";
export { createEngine } from "./engine.ts";
export type { ChunkCodec, ModelChange, ModelOptions } from "./model.ts";
export { Refused } from "./model.ts";
export type { ModelMiddleware } from "./model-middleware.ts";
export { modelMiddleware } from "./model-middleware.ts";
export type { EngineEvent, EngineOptions, FireOptions, RegisteredHook, RegisterOptions, SessionOptions, UnknownHook } from "./options.ts";
export { HooksError } from "./options.ts";
export type { Session } from "./session.ts";
export type { Policy, Question, RunTool, ToolDone, ToolOptions, ToolsOptions } from "./tool.ts";
export type { RunTurn, Try, TurnDone, TurnOptions } from "./turn.ts";
export type { ExecutableTool, WrapOptions } from "./wrap-tools.ts";
export { wrapTools } from "./wrap-tools.ts";
