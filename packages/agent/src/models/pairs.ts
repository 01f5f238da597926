/** Turns a history into one in which every call has its result right behind it, and every result its call: providers refuse anything else. */
import type { CallPart, Message, Part } from "./model.ts";

type ResultPart = Extract<Part, { readonly type: "result" }>;

/**
 * The same history where it is in order already. A call without a result (it was cancelled, or a hook withheld it) is answered with an error that
 * says so; a result without its call becomes text, so that the model still reads it.
 */
export function paired(messages: readonly Message[]): readonly Message[] {
  const whole: Message[] = [];
  let open: readonly CallPart[] = [];
  for (const message of messages) {
    if (message.role === "model") {
      if (open.length > 0) whole.push({ role: "user", parts: open.map(unanswered) });
      open = message.parts.filter((part) => part.type === "call");
      whole.push(message);
      continue;
    }
    const answered = new Set(message.parts.filter((part) => part.type === "result").map((part) => part.id));
    const missing = open.filter((call) => !answered.has(call.id)).map(unanswered);
    const expected = new Set(open.map((call) => call.id));
    const stray = message.parts.some((part) => part.type === "result" && !expected.has(part.id));
    const parts = stray
      ? message.parts.map((part) => (part.type === "result" && !expected.has(part.id) ? asText(part) : part))
      : message.parts;
    whole.push(missing.length > 0 || stray ? { role: "user", parts: [...missing, ...parts] } : message);
    open = [];
  }
  if (open.length > 0) whole.push({ role: "user", parts: open.map(unanswered) });
  return whole;
}

const unanswered = (call: CallPart): ResultPart => ({
  type: "result",
  id: call.id,
  name: call.name,
  output: "This call was not carried out.",
  isError: true,
});

const asText = (result: ResultPart): Part => ({
  type: "text",
  text: `Result of an earlier call of ${result.name}: ${typeof result.output === "string" ? result.output : JSON.stringify(result.output)}`,
});
