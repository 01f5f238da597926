/** The door of the room `loop`: the agent itself. */
export type { Agent, AgentOptions } from "./agent.ts";
export { createAgent } from "./agent.ts";
export type { Compressed } from "./compress.ts";
export { TurnsSpent } from "./converse.ts";
export type { AgentEvent, Tell } from "./events.ts";
export type { Confirm } from "./run-tools.ts";
