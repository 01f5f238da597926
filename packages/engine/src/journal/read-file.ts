/** Turns one journal file into its firings as stories, its quiet lines and its late lines, each looked at when it is asked for. */
import { readFileSync } from "node:fs";
import {
  type FiredRecord,
  type JournalLine,
  joined,
  type LateRecord,
  type PlanRecord,
  type Problem,
  problem,
  type QuietRecord,
  type RegistryRecord,
  type Story,
} from "../protocol/index.ts";
import { linesOf, type RawLine } from "./lines.ts";

export interface FileReader {
  /** In the order in which they ended. */
  readonly fired: readonly RawLine[];
  /** `undefined`, and a problem, where a line cannot be read. */
  readonly firedLine: (raw: RawLine) => FiredRecord | undefined;
  readonly story: (raw: RawLine, fired: FiredRecord) => Story | undefined;
  readonly quiet: () => readonly QuietRecord[];
  readonly late: () => readonly LateRecord[];
}

/** Every line that cannot be read is told once. A file that cannot be read at all has no lines, and is told. */
export function readJournalFile(path: string, onProblem: (problem: Problem) => void): FileReader {
  const told = new Set<number>();
  const tell = (number: number, message: string): void => {
    if (told.has(number)) return;
    told.add(number);
    onProblem(problem("JOURNAL_BAD_LINE", { file: path, jsonPath: "", line: number }, { message }));
  };
  const lines = linesOf(bytesOf(path, onProblem));
  const lineOf = <K extends JournalLine["kind"]>(raw: RawLine, kind: K): Extract<JournalLine, { readonly kind: K }> | undefined => {
    const found = raw.checked();
    if ("fault" in found) tell(raw.number, found.fault);
    return "line" in found && isOfKind(found.line, kind) ? found.line : undefined;
  };
  const all = <K extends JournalLine["kind"]>(kind: K): readonly Extract<JournalLine, { readonly kind: K }>[] =>
    lines.filter((raw) => raw.kind === kind).flatMap((raw) => lineOf(raw, kind) ?? []);
  for (const raw of lines) if (raw.kind === undefined) lineOf(raw, "fired");

  const plan = finder<PlanRecord>(lines, "plan", (raw) => lineOf(raw, "plan"));
  const registry = finder<RegistryRecord>(lines, "registry", (raw) => lineOf(raw, "registry"));
  return {
    fired: lines.filter((raw) => raw.kind === "fired"),
    firedLine: (raw) => lineOf(raw, "fired"),
    story: (raw, fired) => {
      const itsPlan = plan(fired.plan);
      const itsRegistry = itsPlan && registry(itsPlan.registry);
      const story = itsPlan && itsRegistry && joined(itsRegistry, itsPlan, fired);
      if (!story)
        tell(raw.number, `its ${itsPlan ? (itsRegistry ? "plan does not fit it" : "registry line is missing") : "plan line is missing"}`);
      return story;
    },
    quiet: () => all("quiet"),
    late: () => all("late"),
  };
}

/** Finds a line by its id, looking at each line at most once. */
function finder<L extends { readonly id: string }>(
  lines: readonly RawLine[],
  kind: JournalLine["kind"],
  read: (raw: RawLine) => L | undefined,
): (id: string) => L | undefined {
  const known = new Map<string, L | undefined>();
  const candidates = lines.filter((raw) => raw.kind === kind);
  return (id) => {
    if (known.has(id)) return known.get(id);
    for (const raw of candidates) {
      if (raw.id !== undefined && raw.id !== id) continue;
      const line = read(raw);
      if (line && !known.has(line.id)) known.set(line.id, line);
      if (line?.id === id) return line;
    }
    known.set(id, undefined);
    return undefined;
  };
}

const isOfKind = <K extends JournalLine["kind"]>(line: JournalLine, kind: K): line is Extract<JournalLine, { readonly kind: K }> =>
  line.kind === kind;

function bytesOf(path: string, onProblem: (problem: Problem) => void): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const isRemoved = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isRemoved) onProblem(problem("JOURNAL_BAD_LINE", { path }, { message: error instanceof Error ? error.message : String(error) }));
    return Buffer.alloc(0);
  }
}
