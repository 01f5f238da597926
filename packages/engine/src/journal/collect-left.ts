/** Turns what hooks that outlived their host left on disk into `late` lines, once they have ended. */
import { type LateRecord, type Problem, problem, RECORD_VERSION, type RunRecord, type Status, tail } from "../protocol/index.ts";
import { findLeft, forgetLeft, type LeftRun, type ProcessEnd, readLeft } from "../running/index.ts";

export interface Collected {
  readonly lines: readonly LateRecord[];
  /** Removes what the lines were made from. Until then another process may make the same lines: readers count them once. */
  readonly forget: () => void;
}

/** Runs that have not ended, and those whose tag is not `<firing> <entry>`, stay where they are. Never throws. */
export function collectLeft(leftDir: string): Collected {
  const found = findLeft(leftDir).flatMap((run) => {
    const line = lateLine(run);
    return line ? [{ line, dir: run.dir }] : [];
  });
  return {
    lines: found.map(({ line }) => line),
    forget: () => {
      for (const { dir } of found) forgotten(dir);
    },
  };
}

function lateLine({ dir, tag }: LeftRun): LateRecord | undefined {
  const [, firing, entry] = /^(\S+) ([\s\S]+)$/.exec(tag) ?? [];
  const end = firing === undefined || entry === undefined ? undefined : ended(dir);
  return end && firing && entry ? { version: RECORD_VERSION, kind: "late", firing, run: runRecord(entry, end) } : undefined;
}

function ended(dir: string): ProcessEnd | undefined {
  try {
    return readLeft(dir);
  } catch {
    // Another process has collected and removed it meanwhile.
    return undefined;
  }
}
function forgotten(dir: string): void {
  try {
    forgetLeft(dir);
  } catch {
    // Not ours to remove; it will be collected again, and counted once.
  }
}

/** Nobody was there to act on what it printed, so it is not read: only how it ended counts. */
function runRecord(entry: string, end: ProcessEnd): RunRecord {
  const { status, problems } = judged(entry, end);
  return {
    entry,
    status,
    ended: end.kind,
    ...(end.kind === "exited" ? { exitCode: end.exitCode } : {}),
    ...(end.kind === "signalled" ? { signal: end.signal } : {}),
    ...(end.kind === "notStarted" ? { message: end.message } : {}),
    startedAt: new Date(end.startedAt).toISOString(),
    durationMs: end.durationMs,
    ...(end.pid === undefined ? {} : { pid: end.pid }),
    stdout: end.stdout,
    stderr: end.stderr,
    stdoutBytes: end.stdoutBytes,
    stderrBytes: end.stderrBytes,
    truncated: [...(end.stdoutTruncated ? (["stdout"] as const) : []), ...(end.stderrTruncated ? (["stderr"] as const) : [])],
    escaped: end.escaped,
    readAs: "notRead",
    opinion: {},
    problems: [...problems, ...(end.escaped ? [problem("HOOK_ESCAPED", { entry }, {})] : [])],
  };
}

function judged(entry: string, end: ProcessEnd): { readonly status: Status; readonly problems: readonly Problem[] } {
  const place = { entry };
  const stderr = tail(end.stderr);
  switch (end.kind) {
    case "exited":
      if (end.exitCode === 0) return { status: "ok", problems: [] };
      return {
        status: "exitedOther",
        problems: [problem("HOOK_EXITED", place, { exitCode: end.exitCode, stderr, refusesWith: undefined })],
      };
    case "signalled":
      return { status: "signalled", problems: [problem("HOOK_SIGNALLED", place, { signal: end.signal, stderr })] };
    case "timedOut":
      return { status: "timedOut", problems: [problem("HOOK_TIMED_OUT", place, { afterMs: end.afterMs })] };
    case "cancelled":
      return { status: "cancelled", problems: [] };
    case "notStarted":
      return { status: "notStarted", problems: [problem("HOOK_NOT_STARTED", place, { message: end.message })] };
  }
}
