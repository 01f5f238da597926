/** The door of the tools: what the agent can do to files, with commands, on the web and with a person, in neutral words. */

export { addressesIn } from "./addresses.ts";
export { cutAt } from "./cut-text.ts";
export { defineTool } from "./define-tool.ts";
export { type NamedTool, toolByName, toolNotFound } from "./find-tool.ts";
export { isWithin, whereItLeads } from "./inside.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export { argName, heard, type PresentedTool, presentTool, type ToolWording, toNeutral, wanting } from "./present.ts";
export { TOOLS } from "./roll-call.ts";
export { rootCommands } from "./root-commands.ts";
export type {
  ArgName,
  ArgSpec,
  Checked,
  ConfirmDetails,
  Effect,
  FailureType,
  Question,
  Tool,
  ToolContext,
  ToolLimits,
  ToolOutput,
} from "./tool.ts";
