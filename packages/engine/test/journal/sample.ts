// Turns a few words into journal lines as an engine would tell them, and into a source that tells them.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JournalSource } from "../../src/journal/index.ts";
import type { FiredRecord, JournalLine, LateRecord, PlanRecord, QuietRecord, RegistryRecord, RunRecord } from "../../src/protocol/index.ts";

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-journal-"));
  onTestFinished(() => {
    chmodSync(dir, 0o700);
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

export interface Teller extends JournalSource {
  readonly tell: (...lines: readonly JournalLine[]) => void;
  readonly listeners: () => number;
}
export function teller(): Teller {
  const listeners = new Set<Parameters<JournalSource["subscribe"]>[0]>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (...lines) => {
      for (const line of lines) for (const listener of listeners) listener({ kind: "line", line });
    },
    listeners: () => listeners.size,
  };
}

export function registry(id = "r1", command = "./guard.sh"): RegistryRecord {
  const entry = { key: "k", wireName: "BeforeTool", scope: "project", sequential: false, timeoutMs: 60_000, onFailure: "allow" } as const;
  return {
    version: 1,
    kind: "registry",
    id,
    at: "2025-11-30T12:00:00.000Z",
    projectDir: "/project",
    entries: [
      { ...entry, id: "e0", dialect: "gemini", name: "guard", command, matcher: "shell" },
      { ...entry, id: "e1", dialect: "gemini", name: "other" },
    ],
    problems: [],
  };
}
export function plan(id = "r1.1", ofRegistry = "r1"): PlanRecord {
  const statuses: PlanRecord["statuses"] = ["ok", "notMatched"];
  const why = { 1: "its matcher does not fit" };
  return { version: 1, kind: "plan", id, registry: ofRegistry, event: "beforeTool", subject: "shell", statuses, why, problems: [] };
}
export function run(more: Partial<RunRecord> = {}): RunRecord {
  return {
    entry: "e0",
    status: "ok",
    ended: "exited",
    exitCode: 0,
    startedAt: "2025-11-30T12:00:01.000Z",
    durationMs: 12,
    stdin: { tool_name: "shell" },
    stdout: "{}",
    stderr: "",
    stdoutBytes: 2,
    stderrBytes: 0,
    truncated: [],
    escaped: false,
    readAs: "object",
    output: {},
    opinion: {},
    problems: [],
    ...more,
  };
}
export function fired(id: string, more: Partial<FiredRecord> = {}): FiredRecord {
  return {
    version: 1,
    kind: "fired",
    id,
    plan: "r1.1",
    event: "beforeTool",
    session: "s1",
    at: "2025-11-30T12:00:01.000Z",
    durationMs: 15,
    cwd: "/project",
    facts: { tool: { name: "shell", input: { command: "ls" } } },
    quiet: false,
    runs: [run()],
    changed: {},
    verdict: { because: [], overruled: [], withheld: false, steps: [], messages: [], contexts: [] },
    outcome: { action: "proceed" },
    problems: [],
    divergences: [],
    ...more,
  };
}
export function quiet(more: Partial<QuietRecord> = {}): QuietRecord {
  const at = "2025-11-30T12:00:01.000Z";
  return { version: 1, kind: "quiet", plan: "r1.1", event: "beforeTool", session: "s1", count: 3, firstAt: at, lastAt: at, ...more };
}
export const late = (firing: string, more: Partial<RunRecord> = {}): LateRecord => ({ version: 1, kind: "late", firing, run: run(more) });
