/** Turns how an answer ended into what people should know about it: an answer that is cut, withheld or empty looks like any other. */

/** By the finish reason in Gemini's words. Source: Gemini API, `FinishReason` and `BlockReason`. */
const ENDINGS: Readonly<Record<string, string>> = {
  MAX_TOKENS: "The answer is cut: it reached the number of tokens that the model may write",
  MALFORMED_FUNCTION_CALL: "The model tried to call a tool and got the form of the call wrong",
  UNEXPECTED_TOOL_CALL: "The model tried to call a tool that it was not offered",
  ...Object.fromEntries(
    ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"].map((reason) => [
      reason,
      "The provider of the model withheld the answer or the rest of it",
    ]),
  ),
};

/** `undefined` when the answer is whole. */
export function whyIncomplete(finishReason: string | undefined, answer: string): string | undefined {
  const why = finishReason === undefined || finishReason === "STOP" ? undefined : finishReason;
  if (why !== undefined) return `${Object.hasOwn(ENDINGS, why) ? ENDINGS[why] : "The answer ended early"} (${why}).`;
  return answer.trim() === "" ? "The model answered with nothing at all." : undefined;
}
