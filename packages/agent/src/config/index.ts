/** The door of the room `config`: from flags and settings to an agent. */
export type { LoadedEnvFile } from "./env-files.ts";
export { loadEnvFile } from "./env-files.ts";
export { NoModel } from "./no-model.ts";
export type { AgentFlags, NotOpened, OpenedAgent, OpenOptions } from "./open-agent.ts";
export { openAgent } from "./open-agent.ts";
