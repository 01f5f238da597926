/** What the model is told before the conversation: who it is, where it works, and what the context files say. */
import type { ContextFile } from "./context-files.ts";

export interface Surroundings {
  readonly cwd: string;
  readonly platform: string;
  readonly today: string;
  readonly interactive: boolean;
  readonly context: readonly ContextFile[];
}

export function systemPrompt({ cwd, platform, today, interactive, context }: Surroundings): string {
  const person = interactive
    ? "A person reads along and may be asked."
    : "Nobody is there to be asked: decide yourself, and say what you assumed.";
  const files = context.map(({ file, text }) => `--- ${file} ---\n${text.trim()}`).join("\n\n");
  return [
    "You are a coding agent. You work in the user's project with the tools you are given, and finish what you are asked to do.",
    `The project is ${cwd} on ${platform}. Today is ${today}. ${person}`,
    "Read before you change. Keep changes small and in the style of what is there. Run what checks your work when you can. Report what you did and what you did not.",
    "Hooks of the user watch your tool calls. When one is refused, the reason is in the result: respect it, and do not try to get around it.",
    ...(files === "" ? [] : [`These files hold instructions and facts about the user and the project:\n\n${files}`]),
  ].join("\n\n");
}
