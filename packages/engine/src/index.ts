/** The front door of `@carabiner/engine`: everything public, by name. */
export type { Json, JsonObject, McpOrigin, ToolCall, ToolKind, ToolWord, ToolWords } from "./protocol/index.ts";
export { toNeutral, toWords } from "./protocol/index.ts";
