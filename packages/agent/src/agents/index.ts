/** The door of the room `agents`: definitions of sub-agents, and the tool that starts one. */
export type { AgentDefinition } from "./definition.ts";
export { type Definitions, readDefinitions } from "./read-definitions.ts";
export { type Spawn, spawnTool } from "./spawn-tool.ts";
