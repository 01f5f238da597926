/** The front door of `@carabiner/agent`: an agent that runs inside hooks, and the parts it is made of. */
export type { AgentFlags, LoadedEnvFile, NotOpened, OpenedAgent, OpenOptions } from "./config/index.ts";
export { loadEnvFile, NoModel, openAgent } from "./config/index.ts";
export type { Agent, AgentEvent, AgentOptions, Compressed, Confirm, Tell } from "./loop/index.ts";
export { createAgent, TurnsSpent } from "./loop/index.ts";
export type { McpProblem, McpServer, ReadServers } from "./mcp/index.ts";
export { readServers } from "./mcp/index.ts";
export type { Chunk, Message, Model, ModelCall, ModelChoice, ModelWish, Part, ToolSchema, Usage } from "./models/index.ts";
export { chooseModel, ModelError, openFakeResponses, openScript } from "./models/index.ts";
export type { Grant, GrantChoice, Mode } from "./permissions/index.ts";
export { grantChoices, MODE_WORDS, parseMode } from "./permissions/index.ts";
export type { McpDetails, Profile } from "./profiles/index.ts";
export { PROFILES, profileOf } from "./profiles/index.ts";
export type { SessionSummary } from "./sessions/index.ts";
export { listSessions } from "./sessions/index.ts";
export type { ConfirmDetails, Question } from "./tools/index.ts";
