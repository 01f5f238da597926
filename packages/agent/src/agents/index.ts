/** The door of the room `agents`: definitions of sub-agents, and the tool that starts one. */
export type { AgentDefinition } from "./definition.ts";
export { type AgentFolder, type DefinitionProblem, type Definitions, readDefinitions } from "./read-definitions.ts";
export { type Spawn, spawnTool } from "./spawn-tool.ts";
export { toolTest } from "./tool-test.ts";
