/** Turns a kill plan into signals, and remembers which groups are running so that they do not outlive this process. */
import { spawn } from "node:child_process";
import { type KillPhase, killPlan } from "./kill-plan.ts";

/** `taskkill` itself may hang. Source: the study of Gemini CLI, EXE-8. */
const TASKKILL_MS = 2_000;

const running = new Set<number>();
let listening = false;

/**
 * Carries out one phase on the group of `pid`. Returns whether something was there to receive it: false once the whole group is gone,
 * or belongs to another user (after `sudo`), who alone can end it. A member that is dead but not yet collected by its parent counts (`liveMemberOf` tells them apart).
 */
export function endGroup(pid: number, phase: KillPhase): boolean {
  let reached = false;
  for (const step of killPlan(process.platform, pid, phase)) {
    if (step.kind === "signal") reached = trySignal(step.target, step.signal) || reached;
    else {
      spawn(step.file, step.args, { stdio: "ignore", windowsHide: true, timeout: TASKKILL_MS })
        .on("error", () => undefined)
        .unref();
      reached = true;
    }
  }
  return reached;
}

/**
 * From here until `forgetGroup`, the group is killed when this process exits (also by `process.exit`): a detached hook would
 * otherwise run on without anybody who enforces its timeout. Death by an unhandled signal cannot be caught here: a host that wants
 * Ctrl-C to end its hooks handles the signal and aborts.
 */
export function rememberGroup(pid: number): void {
  if (!listening) process.on("exit", killAll);
  listening = true;
  running.add(pid);
}

export function forgetGroup(pid: number): void {
  running.delete(pid);
}

function killAll(): void {
  for (const pid of running) endGroup(pid, "force");
}

function trySignal(target: number, signal: NodeJS.Signals | 0): boolean {
  // After most runs nothing is left to signal: collecting a stack trace of that answer would cost four times the call.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return process.kill(target, signal);
  } catch {
    // ESRCH: gone. EPERM: another user's, and on macOS also a group of which only dead members are left.
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
