/** The tool that turns questions of the model into answers of a person. */
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import type { Question } from "./tool.ts";

const option = z.object({
  label: z.string().min(1).describe("The answer in a few words."),
  description: z.string().optional().describe("What choosing it means."),
});
const question = z.object({
  question: z.string().min(1).describe("The question, complete and ending with a question mark."),
  header: z.string().optional().describe("A very short label for it."),
  type: z
    .enum(["choice", "text", "yesno"])
    .optional()
    .describe("choice: one of the options; text: free text; yesno: yes or no. Default: choice if there are options, else text."),
  options: z
    .array(option)
    .optional()
    .describe("The answers to choose from, for a choice: two to four. The person can always write something else."),
  multiSelect: z.boolean().optional().describe("Whether several options may be chosen. Default: false."),
  placeholder: z.string().optional().describe("A hint shown in the empty field of a text question."),
});

/** Answers come as `{"answers": {"0": "..."}}`, by the place of the question. Without a person: the error `no_user`, at once. */
export const askUserTool = defineTool({
  kind: "askUser",
  effect: "ask",
  describe:
    "Asks the person one to four questions and waits for the answers. Only for what you cannot find out yourself and cannot reasonably decide.",
  args: z.object({ questions: z.array(question).min(1).max(4).describe("The questions, shown together.") }),
  also: ({ questions }, say) => {
    const bad = questions.findIndex((q) => typeOf(q) === "choice" && (q.options ?? []).length < 2);
    return bad === -1
      ? undefined
      : `${say("questions")}.${bad}.options: a choice needs at least two options, got ${questions[bad]?.options?.length ?? 0}. Nobody was asked.`;
  },
  confirmation: ({ questions }) => ({ type: "ask_user", title: "Answer Questions", questions: questions.map(whole) }),
  run: async ({ questions }, ctx) => {
    if (ctx.askUser === undefined)
      return failed(
        "no_user",
        "Nobody can be asked: this session runs without a person (headless). Decide yourself and say what you assumed.",
      );
    const asked = questions.map(whole);
    const answers = await ctx.askUser(asked);
    if (answers === undefined) return { content: "The person dismissed the questions without an answer.", display: "Dismissed" };
    const display = asked.map((q, i) => `${q.header === "" ? q.question : q.header}: ${answers[String(i)] ?? "(no answer)"}`).join("\n");
    return { content: JSON.stringify({ answers }), display };
  },
});

const typeOf = (q: z.infer<typeof question>): Question["type"] =>
  q.type ?? (q.options !== undefined && q.options.length > 0 ? "choice" : "text");

function whole(q: z.infer<typeof question>): Question {
  return {
    question: q.question,
    header: q.header ?? "",
    type: typeOf(q),
    options: (q.options ?? []).map(({ label, description = "" }) => ({ label, description })),
    multiSelect: q.multiSelect === true,
    ...(q.placeholder === undefined ? {} : { placeholder: q.placeholder }),
  };
}
