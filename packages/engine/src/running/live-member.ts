/** Turns a process group into one member of it that is alive, where the system has a /proc to look at. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * Remembers the member it found last, so that asking again costs one small read.
 *
 * A signal reaches the dead as well, until their parent has collected them, and the first process of many containers never collects orphans:
 * only the state in /proc tells a group that is still at work from one that is merely not buried yet.
 */
export interface LiveMember {
  /** `undefined`: there is no /proc here, so nobody knows. */
  readonly exists: () => boolean | undefined;
}

export function liveMemberOf(group: number): LiveMember {
  let known: string | undefined;
  return {
    exists() {
      if (process.platform !== "linux") return undefined;
      if (known !== undefined && isLiveMember(known, group)) return true;
      try {
        known = readdirSync("/proc").find((name) => /^\d+$/.test(name) && isLiveMember(name, group));
      } catch {
        // ENOENT: /proc is not mounted.
        return undefined;
      }
      return known !== undefined;
    },
  };
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    // "pid (name) state parent group ...", where the name may hold anything, parentheses and blanks included.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && state !== "Z" && state !== "X";
  } catch {
    // ENOENT, ESRCH: it has ended.
    return false;
  }
}
