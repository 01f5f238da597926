/** The roll-call of commands: one line each, loaded when called. */
import type { CommandEntry } from "../command.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "See hooks at work: a tour with no key and no network.",
    load: () => import("./demo.ts").then((module) => module.demo),
  },
  {
    name: "fire",
    summary: "Fire one event at your hooks and see what comes of it.",
    load: () => import("./fire.ts").then((module) => module.fire),
  },
  { name: "explain", summary: "Tell the whole story of one firing.", load: () => import("./explain.ts").then((module) => module.explain) },
  { name: "log", summary: "List the firings in the journal.", load: () => import("./log.ts").then((module) => module.log) },
];

/** What runs when the first word is no command: the agent itself. */
export const AGENT: CommandEntry = {
  name: "carabiner",
  summary: "An agent that runs inside your hooks.",
  load: () => import("./agent.ts").then((module) => module.agent),
};
