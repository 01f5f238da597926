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
  {
    name: "hooks",
    summary: "List your hooks, switch them on and off, add new ones.",
    load: () => import("./hooks.ts").then((module) => module.hooks),
  },
  {
    name: "trust",
    summary: "See and decide what this project's hooks may run.",
    load: () => import("./trust.ts").then((module) => module.trust),
  },
  {
    name: "doctor",
    summary: "Check settings, hooks, programs and trust, and say what to do.",
    load: () => import("./doctor.ts").then((module) => module.doctor),
  },
  {
    name: "init",
    summary: "Write a first hook for this project, and try it.",
    load: () => import("./init.ts").then((module) => module.init),
  },
  {
    name: "completion",
    summary: "Print a script that completes all of this in your shell.",
    load: () => import("./completion.ts").then((module) => module.completion),
  },
];

/** What runs when the first word is no command: the agent itself. */
export const AGENT: CommandEntry = {
  name: "carabiner",
  summary: "An agent that runs inside your hooks.",
  load: () => import("./agent.ts").then((module) => module.agent),
};
