// Tells whether a process still works.
import { readFileSync } from "node:fs";

/** A zombie has ended: that nobody has asked for its exit code yet is the machine's affair. Throws for what is no process id, which a signal would take for a group. */
export function isAlive(pid: number | string): boolean {
  if (!/^[1-9]\d*$/.test(String(pid))) throw new TypeError(`${JSON.stringify(pid)} is no process id`);
  try {
    process.kill(Number(pid), 0);
  } catch {
    return false; // ESRCH
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux"; // no /proc: the signal's answer counts. With one: it ended just now
  }
}
