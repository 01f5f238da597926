/** Turns neutral answers into the stream of Gemini's `streamGenerateContent?alt=sse`. */
import { type SeenRequest, textsOf, type Wire } from "./reply.ts";

const finishes = { stop: "STOP", length: "MAX_TOKENS", safety: "SAFETY" } as const;

export const geminiWire: Wire = {
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/,
  objection,
  events(answer) {
    const { calls = [], thought, signature, usage } = answer;
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    const parts: object[][] = [];
    if (thought !== undefined) parts.push([{ text: thought, thought: true, ...signed }]);
    for (const text of textsOf(answer)) parts.push([{ text }]);
    if (calls.length > 0) {
      parts.push(
        calls.map((call, i) => ({
          functionCall: { ...(call.id ? { id: call.id } : {}), name: call.name, args: call.input },
          ...(i === 0 && thought === undefined ? signed : {}),
        })),
      );
    }
    if (parts.length === 0) parts.push([]);
    const complete = answer.then === undefined;
    return parts.map((said, i) => {
      const last = complete && i === parts.length - 1;
      return {
        data: {
          candidates: [
            {
              content: { role: "model", ...(said.length > 0 ? { parts: said } : {}) },
              index: 0,
              ...(last ? { finishReason: finishes[answer.finish ?? "stop"] } : {}),
            },
          ],
          ...(last && usage
            ? {
                usageMetadata: {
                  promptTokenCount: usage.prompt,
                  candidatesTokenCount: usage.candidates,
                  totalTokenCount: usage.prompt + usage.candidates,
                },
              }
            : {}),
          responseId: "response-1",
        },
      };
    });
  },
  error: (status, message) => ({ error: { code: status, message, status: status === 429 ? "RESOURCE_EXHAUSTED" : "INVALID_ARGUMENT" } }),
};

/** Source: Gemini API, function calling: as many function responses as calls, in the turn after them. */
function objection({ body, headers }: SeenRequest): string | undefined {
  if (!headers["x-goog-api-key"]) return "Method doesn't allow unregistered callers.";
  if (!Array.isArray(body.contents) || body.contents.length === 0) return "contents is not specified";
  const count = (content: { parts?: object[] } | undefined, key: string): number =>
    (content?.parts ?? []).filter((part) => key in part).length;
  for (const [i, content] of body.contents.entries()) {
    if (!["user", "model"].includes(content.role) || content.parts.length === 0) return `contents[${i}] has no role or no parts`;
    const calls = count(content, "functionCall");
    if (calls > 0 && calls !== count(body.contents[i + 1], "functionResponse")) {
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
  }
  return undefined;
}
