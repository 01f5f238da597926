/** Turns a notification of the host into the sentence that Qoder CN CLI's hooks read. Source: contracts/qoder-cn.md, "Events", Notification. */
import type { Facts, ToolCall } from "../protocol/index.ts";
import type { Speaker } from "./dialect.ts";

type Notification = Facts["notification"];

const ASKING = "Agent is requesting permission to run:";
/** Scripts tell the two types apart by the message: a question begins with this word, a result never does. */
const BEGINS_QUESTION = /^Agent\b/;

export function notificationMessage(facts: Notification, say: Speaker): string {
  const { type, message, tool, details } = facts;
  if (type === "permission") {
    if (tool) return `${ASKING} ${calledFor(tool, say)}`;
    if (BEGINS_QUESTION.test(message)) return message;
    return `${ASKING} ${typeof details?.["command"] === "string" ? details["command"] : message}`;
  }
  return type === "result" && BEGINS_QUESTION.test(message) ? `Done: ${message}` : message;
}

export const notificationTitle = ({ type, title, tool }: Notification): string =>
  type === "permission" && (tool !== undefined || title === undefined) ? "Permission Required" : (title ?? "");

/** A shell's command as it is; of other tools the name, and the main argument where there is one. */
function calledFor(tool: ToolCall, say: Speaker): string {
  const main = say.mainArgument(tool);
  if (main?.means === "command") return main.value;
  return main ? `${say.toolName(tool)}(${main.value})` : say.toolName(tool);
}
