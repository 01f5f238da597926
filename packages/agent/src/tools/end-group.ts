/** Turns a living process group into an ended one, and tells who is in it. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** SIGTERM, then after `graceMs` SIGKILL. Resolves when the group is gone, at the latest half a second after the SIGKILL. */
export async function endGroup(pgid: number, graceMs: number): Promise<void> {
  signalGroup(pgid, "SIGTERM");
  if (await gone(pgid, graceMs)) return;
  signalGroup(pgid, "SIGKILL");
  await gone(pgid, 500);
}

/** Living members of the group, in order of their ids; a zombie is not living. Empty when nobody can tell. */
export async function groupMembers(pgid: number): Promise<readonly number[]> {
  if (!signalGroup(pgid, 0)) return [];
  const listed = process.platform === "linux" ? await fromProc() : await fromPs();
  return listed
    .filter((p) => p.pgid === pgid && !p.state.startsWith("Z"))
    .map((p) => p.pid)
    .sort((a, b) => a - b);
}

/** False when there is no such group any more. macOS answers EPERM for a group of zombies. */
function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch {
    return false;
  }
}

async function gone(pgid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    if ((await groupMembers(pgid)).length === 0) return true;
    if (performance.now() >= until) return false;
    await sleep(pauseMs);
  }
}

interface Listed {
  readonly pid: number;
  readonly pgid: number;
  readonly state: string;
}

async function fromProc(): Promise<readonly Listed[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const listed = await Promise.all(
    pids.map(async (pid): Promise<readonly Listed[]> => {
      // ENOENT, ESRCH: ended since the folder was read.
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      // The name of the program stands in parentheses and may hold anything.
      const [state = "", , pgid = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return stat === "" ? [] : [{ pid: Number(pid), pgid: Number(pgid), state }];
    }),
  );
  return listed.flat();
}

function fromPs(): Promise<readonly Listed[]> {
  return new Promise((resolve) => {
    execFile("ps", ["-axo", "pid=,pgid=,stat="], (error, stdout) => {
      if (error) return resolve([]);
      resolve(
        stdout
          .split("\n")
          .map((line) => line.trim().split(/\s+/))
          .map(([pid = "", pgid = "", state = ""]) => ({ pid: Number(pid), pgid: Number(pgid), state })),
      );
    });
  });
}
