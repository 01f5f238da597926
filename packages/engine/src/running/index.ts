/** The door of the running room: the only room that starts processes. */
export { onAbort } from "./aborts.ts";
export { createOutputBudget } from "./capture.ts";
export { type CommandRunner, commandLine } from "./command-line.ts";
export { addVariables, type Environment, type EnvironmentParts, type EnvironmentPolicy, hookEnvironment, sanitise } from "./environment.ts";
export { type LeavingPatience, type LeftBehind, runLeaving } from "./left.ts";
export { findLeft, forgetLeft, type LeftRun, readLeft } from "./left-record.ts";
export type { CommandLine, OutputBudget, ProcessEnd, ProcessFate, ProcessOrder } from "./order.ts";
export { createPool, type Pool } from "./pool.ts";
export { runProcess } from "./process.ts";
export { redact, SECRET_PATTERNS, type SecretPattern } from "./secrets.ts";
