/** The door of the MCP room: reading servers from settings, connecting them, and naming their tools for a model. */
export { type ConnectOptions, connectServers, type McpServerState, type McpTools } from "./connect-servers.ts";
export type { McpTool } from "./connection.ts";
export { modelName, modelNames } from "./model-name.ts";
export type { McpResult } from "./result.ts";
export { type McpProblem, type McpReach, type McpServer, type ReadServers, readServers } from "./server.ts";
