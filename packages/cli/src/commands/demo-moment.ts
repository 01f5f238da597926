/** Says what the agent was about to do, or had just done, when a hook was asked: one line an event, and what it is about. */
import { type EventName, isObject, type Json, type JsonObject, type Story } from "@carabiner/engine";

export interface Moment {
  readonly says: string;
  /** Foreign text: arguments, a result, an answer. */
  readonly quotes: readonly string[];
}
type Tell = (facts: JsonObject) => Moment;

/** One argument each, as a person would write it; what is in a file has lines of its own. */
export const argumentLines = (input: JsonObject): readonly string[] =>
  Object.entries(input).map(([name, value]) => `${name}: ${text(value)}`);

/** Without facts (a hook asked to keep them off the records) only the event is told. */
export const momentOf = ({ event, fired }: Pick<Story, "event" | "fired">): Moment => MOMENTS[event](fired.facts ?? {});

const only =
  (says: string): Tell =>
  () => ({ says, quotes: [] });
const MOMENTS: Readonly<Record<EventName, Tell>> = {
  sessionStart: only("A session begins."),
  sessionEnd: only("The session ends."),
  beforeAgent: ({ prompt, origin }) => ({
    says: origin === "retry" ? "The agent goes round again:" : "The agent has read the prompt.",
    quotes: origin === "retry" ? [text(prompt)] : [],
  }),
  afterAgent: ({ response }) => ({ says: "The agent is about to answer:", quotes: [text(response)] }),
  beforeModel: only("The agent is about to ask the model."),
  beforeToolSelection: only("The agent is about to offer the model its tools."),
  afterModel: ({ response }) => ({ says: "The model has said, in one piece of its answer:", quotes: partsOf(response) }),
  beforeTool: ({ tool }) => ({
    says: `${isTail(tool) ? "Next comes" : "The agent is about to call"} ${nameOf(tool)}:`,
    quotes: argumentsOf(tool),
  }),
  permissionRequest: ({ tool }) => ({ says: `The user would be asked about ${nameOf(tool)}:`, quotes: argumentsOf(tool) }),
  afterTool: ({ tool, result }) => ({ says: `${nameOf(tool)} has run, and gave:`, quotes: resultOf(result) }),
  subagentStart: only("A sub-agent begins."),
  subagentStop: ({ response }) => ({ says: "A sub-agent is about to answer:", quotes: [text(response)] }),
  beforeCompress: only("The history is about to be compressed."),
  notification: ({ message }) => ({ says: "The user is told:", quotes: [text(message)] }),
};

const text = (value: Json | undefined): string => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));
const nameOf = (tool: Json | undefined): string => (isObject(tool) ? text(tool.name) : "a tool");
const isTail = (tool: Json | undefined): boolean => isObject(tool) && tool.tailOf !== undefined;
const argumentsOf = (tool: Json | undefined): readonly string[] => argumentLines(isObject(tool) && isObject(tool.input) ? tool.input : {});
function partsOf(response: Json | undefined): readonly string[] {
  const parts: Json | undefined = isObject(response) ? response.parts : undefined;
  return Array.isArray(parts) ? [parts.map(text).join("")] : [];
}
function resultOf(result: Json | undefined): readonly string[] {
  return isObject(result) && result.content !== undefined ? [text(result.content)] : [];
}
