/** Turns neutral answers into the stream of Anthropic's messages. */
import { halves, type SeenRequest, textsOf, type Wire, type WireEvent } from "./reply.ts";

const finishes = { stop: "end_turn", length: "max_tokens", safety: "refusal" } as const;

export const anthropicWire: Wire = {
  path: /^\/v1\/messages$/,
  objection,
  events(answer, { body }, turn) {
    const { calls = [], thought, signature, usage } = answer;
    const events: WireEvent[] = [];
    const say = (type: string, said: object): void => {
      events.push({ event: type, data: { type, ...said } });
    };
    let index = 0;
    const block = (start: object, deltas: readonly object[]): void => {
      say("content_block_start", { index, content_block: start });
      for (const delta of deltas) say("content_block_delta", { index, delta });
      say("content_block_stop", { index });
      index += 1;
    };
    say("message_start", {
      message: {
        id: `msg_${turn}`,
        type: "message",
        role: "assistant",
        model: body.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage?.prompt ?? 1, output_tokens: 1 },
      },
    });
    say("ping", {});
    if (thought !== undefined) {
      const signed = signature === undefined ? [] : [{ type: "signature_delta", signature }];
      block({ type: "thinking", thinking: "", signature: "" }, [{ type: "thinking_delta", thinking: thought }, ...signed]);
    } else if (signature !== undefined) {
      block({ type: "redacted_thinking", data: signature }, []);
    }
    const texts = textsOf(answer);
    if (texts.length > 0) {
      block(
        { type: "text", text: "" },
        texts.map((text) => ({ type: "text_delta", text })),
      );
    }
    for (const [i, call] of calls.entries()) {
      const deltas = halves(call.input).map((partial_json) => ({ type: "input_json_delta", partial_json }));
      block({ type: "tool_use", id: call.id ?? `toolu_${turn}_${i}`, name: call.name, input: {} }, deltas);
    }
    if (answer.then !== undefined) return events;
    const stop_reason = calls.length > 0 ? "tool_use" : finishes[answer.finish ?? "stop"];
    say("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage?.candidates ?? 1 } });
    say("message_stop", {});
    return events;
  },
  error: (status, message) => ({ type: "error", error: { type: status === 429 ? "rate_limit_error" : "invalid_request_error", message } }),
};

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

/** Source: Anthropic API, messages and tool use: max_tokens is required; results of calls stand first in the message after them. */
function objection({ body, headers }: SeenRequest): string | undefined {
  if (!headers["x-api-key"]) return "x-api-key header is required";
  if (!headers["anthropic-version"]) return "anthropic-version: header is required";
  if (typeof body.max_tokens !== "number") return "max_tokens: Field required";
  const blocks = (i: number): readonly Block[] => (Array.isArray(body.messages[i]?.content) ? body.messages[i].content : []);
  for (const [i, message] of body.messages.entries()) {
    if (i > 0 && message.role === body.messages[i - 1].role) return `messages.${i}: roles must alternate`;
    const asked = blocks(i).filter((block) => block.type === "tool_use");
    const given = blocks(i + 1).map((block) => block.tool_use_id);
    if (asked.some((block) => !given.slice(0, asked.length).includes(block.id))) {
      return `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
    }
    const known = blocks(i - 1).map((block) => block.id);
    if (blocks(i).some((block) => block.type === "tool_result" && !known.includes(block.tool_use_id))) {
      return `messages.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
    }
  }
  return undefined;
}
