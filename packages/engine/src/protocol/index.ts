/** The door of the room `protocol`: the words every other room speaks. */
export { commandOf } from "./command.ts";
export type {
  AgentIdentity,
  Change,
  Context,
  EventName,
  EventSlots,
  EventSpec,
  Facts,
  Message,
  Opinion,
  Original,
  Outcome,
  Outcomes,
  Ruling,
  RulingKind,
  SlotName,
  SlotOf,
  Slots,
  Stop,
  ToolResult,
  VariantOf,
  Variants,
} from "./events.ts";
export { applied, EVENT_NAMES, EVENTS, RULINGS, strength } from "./events.ts";
export type {
  Barred,
  Condition,
  DialectId,
  Entry,
  HookFunction,
  Layer,
  Patience,
  Plan,
  ReadAs,
  Registry,
  Report,
  Run,
  Runner,
  Scope,
  Step,
  Verdict,
} from "./flow.ts";
export type { Json, JsonObject, Lazy } from "./json.ts";
export { at, isObject, merged, read, sameJson, shown } from "./json.ts";
export type { MessageRole, ModelMessage, ModelRequest, ModelResponse, RequestPatch, ToolLimit } from "./model.ts";
export { composed, patched } from "./model.ts";
export { plain, tail } from "./plain.ts";
export type { ProblemCode } from "./problem-facts.ts";
export type { Place, Problem, ProblemFacts, ProblemPlace } from "./problems.ts";
export { closest, PROBLEM_CODES, placeText, problem, problemText } from "./problems.ts";
export type {
  EntryRecord,
  FiredRecord,
  FiringRecord,
  JournalLine,
  LateRecord,
  PlanRecord,
  QuietRecord,
  RegistryRecord,
  RunRecord,
  Story,
  StoryEntry,
  VerdictRecord,
} from "./record.ts";
export { journalJsonSchema, journalLineSchema, RECORD_VERSION } from "./record.ts";
export type { MessageCodec } from "./rich-messages.ts";
export { applyMessages, textMessages } from "./rich-messages.ts";
export type { Status } from "./status.ts";
export { STATUS_MEANING, STATUSES, statusClass } from "./status.ts";
export { joined } from "./story.ts";
export type { MainArgument, McpOrigin, ToolCall, ToolKind, ToolWord, ToolWords, Translator } from "./tools.ts";
export { mainArgument, toNeutral, toWords, translator } from "./tools.ts";
