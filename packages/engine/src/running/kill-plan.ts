/** Turns "end this run" into the steps a platform needs, as data: nothing is signalled here. */

/**
 * `ask`: end yourself (TERM). `force`: be ended (KILL). `sweep`: the process itself has exited, end what it left in its group.
 * `probe`: is anything of it alive?
 */
export type KillPhase = "ask" | "force" | "sweep" | "probe";

export type KillStep =
  /** `target` as for kill(2): a negative number is a whole process group. Signal 0 only asks. */
  | { readonly kind: "signal"; readonly target: number; readonly signal: "SIGTERM" | "SIGKILL" | 0 }
  | { readonly kind: "command"; readonly file: string; readonly args: readonly string[] };

/**
 * The steps, in order; none when there is nothing that could be done. On POSIX the whole group of `pid`, which leads one because it
 * was started detached. On Windows there are no groups: `taskkill` ends the tree that hangs on a live `pid`, at once, and what an
 * exited process left behind cannot be found.
 */
export function killPlan(platform: NodeJS.Platform, pid: number, phase: KillPhase): readonly KillStep[] {
  // kill(0) and kill(-1) would mean our own group and everybody.
  if (!Number.isInteger(pid) || pid <= 1) return [];
  if (platform === "win32") return windowsPlan(pid, phase);
  const signal = ({ ask: "SIGTERM", force: "SIGKILL", sweep: "SIGKILL", probe: 0 } as const)[phase];
  return [{ kind: "signal", target: -pid, signal }];
}

function windowsPlan(pid: number, phase: KillPhase): readonly KillStep[] {
  if (phase === "sweep") return [];
  if (phase === "probe") return [{ kind: "signal", target: pid, signal: 0 }];
  return [{ kind: "command", file: "taskkill", args: ["/pid", String(pid), "/t", "/f"] }];
}
