/** Turns neutral answers into the stream of OpenAI's chat completions, as its many copies speak it. */
import { halves, type SeenRequest, textsOf, type Wire, type WireEvent } from "./reply.ts";

const finishes = { stop: "stop", length: "length", safety: "content_filter" } as const;

export const openaiWire: Wire = {
  path: /^(\/v1)?\/chat\/completions$/,
  objection,
  events(answer, { body }, turn) {
    const { calls = [], thought, signature, usage } = answer;
    const head = { id: `chatcmpl-${turn}`, object: "chat.completion.chunk", created: 1_700_000_000, model: body.model };
    const delta = (said: object, finish: string | null = null): WireEvent => ({
      data: { ...head, choices: [{ index: 0, delta: said, finish_reason: finish }] },
    });
    const events: WireEvent[] = [delta({ role: "assistant", content: "" })];
    if (thought !== undefined) events.push(delta({ reasoning_content: thought }));
    for (const text of textsOf(answer)) events.push(delta({ content: text }));
    for (const [index, call] of calls.entries()) {
      const [first, second] = halves(call.input);
      const signed = signature !== undefined && index === 0 ? { extra_content: { google: { thought_signature: signature } } } : {};
      const id = call.id ?? `call_${turn}_${index}`;
      events.push(delta({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" }, ...signed }] }));
      events.push(delta({ tool_calls: [{ index, function: { arguments: first } }] }));
      events.push(delta({ tool_calls: [{ index, function: { arguments: second } }] }));
    }
    if (answer.then !== undefined) return events;
    events.push(delta({}, calls.length > 0 ? "tool_calls" : finishes[answer.finish ?? "stop"]));
    if (usage && body.stream_options?.include_usage) {
      const total = usage.prompt + usage.candidates;
      events.push({
        data: { ...head, choices: [], usage: { prompt_tokens: usage.prompt, completion_tokens: usage.candidates, total_tokens: total } },
      });
    }
    events.push({ data: "[DONE]" });
    return events;
  },
  error: (status, message) => ({
    error: { message, type: status === 429 ? "rate_limit_error" : "invalid_request_error", param: null, code: null },
  }),
};

/** Source: OpenAI API, chat completions: every call is answered by a tool message right after it, and no other. */
function objection({ body }: SeenRequest): string | undefined {
  if (body.stream !== true) return "this server streams only";
  if (body.tool_choice !== undefined && body.tools === undefined) return "'tool_choice' is only allowed when 'tools' are specified.";
  let open: string[] = [];
  for (const message of body.messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id))
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) break;
    open = (message.tool_calls ?? []).map((call: { id: string }) => call.id);
  }
  return open.length === 0 ? undefined : `The following tool_call_ids did not have response messages: ${open.join(", ")}`;
}
