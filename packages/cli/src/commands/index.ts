/** The roll-call of commands: one line each, loaded when called. */
import type { CommandEntry } from "../command.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "See hooks at work: a tour with no key and no network.",
    load: () => import("./demo.ts").then((module) => module.demo),
  },
];

/** What runs when the first word is no command: the agent itself. */
export const AGENT: CommandEntry = {
  name: "carabiner",
  summary: "An agent that runs inside your hooks.",
  load: () => import("./agent.ts").then((module) => module.agent),
};
