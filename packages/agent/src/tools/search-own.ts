/** Turns a search into a walk over the files, for machines without ripgrep and for patterns that it refuses. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { createContext, Script } from "node:vm";
import picomatch from "picomatch";
import { decodeText } from "./decode-text.ts";
import type { SearchLine, SearchQuery, SearchResult } from "./search.ts";
import { walk } from "./walk.ts";

/**
 * Tests each line with a JavaScript regular expression. A pattern that backtracks without end is stopped after at most a second, and the
 * result then says so. Binary files, files above `maxFileBytes` and links are left out.
 */
export async function searchOwn(query: SearchQuery): Promise<SearchResult> {
  const scan = scanner(query);
  if (typeof scan === "string") return { ok: false, problem: scan };
  const until = performance.now() + query.timeoutMs;
  const lines: SearchLine[] = [];
  const unreadable: string[] = [];
  const left = (): number => query.maxMatches - lines.filter((line) => line.isMatch).length;
  let more = false;
  let late = false;
  let batch: Text[] = [];
  let batchChars = 0;
  const flush = (): string | undefined => {
    const found = scan(batch.map((file) => file.lines));
    if (typeof found === "string") return found;
    for (const [i, file] of batch.entries()) {
      const hits = found[i] ?? [];
      const room = left();
      more ||= hits.length > room;
      lines.push(...withContext(file, hits.slice(0, room), query.context));
    }
    batch = [];
    batchChars = 0;
    return undefined;
  };
  for await (const file of filesOf(query, unreadable)) {
    if (query.signal.aborted || performance.now() > until) {
      late = true;
      break;
    }
    const text = await textOf(file.path, query.maxFileBytes);
    if (text === undefined) continue;
    batch.push({ file: file.relative, lines: linesOf(text) });
    batchChars += text.length;
    if (batchChars < BATCH_CHARS) continue;
    const problem = flush();
    if (problem !== undefined) return { ok: false, problem };
    if (more) break;
  }
  const problem = flush();
  if (problem !== undefined) return { ok: false, problem };
  const notes = [
    ...(late ? [`[the search was ended after ${query.timeoutMs} ms; there may be more]`] : []),
    ...(unreadable.length > 0 ? ["[some files or folders could not be read]"] : []),
  ];
  return { ok: true, lines, more, notes };
}

interface Text {
  readonly file: string;
  readonly lines: readonly string[];
}

/** Entering the guarded regex engine costs a fixed 100 microseconds, so files go through it by the batch. */
const BATCH_CHARS = 1_000_000;
const SCAN_TIMEOUT_MS = 1_000;

type Scan = (texts: readonly (readonly string[])[]) => readonly (readonly number[])[] | string;

/** Only the engine's own timeout can interrupt a regular expression, and only code run through `vm` has one. */
function scanner(query: SearchQuery): Scan | string {
  // Case is an argument here; ripgrep knows the flag, JavaScript does not.
  const written = query.pattern.replace(/^\(\?i\)/, "");
  const flags = query.caseSensitive && written === query.pattern ? "" : "i";
  const source = query.literal ? query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : written;
  let expression: RegExp;
  try {
    expression = new RegExp(source, `u${flags}`);
  } catch {
    try {
      // Patterns written for other engines often hold escapes that the strict mode refuses.
      expression = new RegExp(source, flags);
    } catch (error) {
      return `the pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}. To search for the characters as they are, ask for a literal search`;
    }
  }
  const box: { readonly expression: RegExp; texts: readonly (readonly string[])[]; hits: number[][] } = { expression, texts: [], hits: [] };
  const context = createContext(box);
  const script = new Script(
    "hits = texts.map((lines) => { const at = []; lines.forEach((line, i) => { if (expression.test(line)) at.push(i); }); return at; })",
  );
  return (texts) => {
    box.texts = texts;
    try {
      script.runInContext(context, { timeout: SCAN_TIMEOUT_MS });
      return box.hits;
    } catch (error) {
      // An error of the other context is no instance of this one's Error.
      if (typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        return `the pattern backtracks without end on a line of ${texts.length === 1 ? "a file" : "some file"}; write it without nested repetition`;
      }
      throw error;
    }
  };
}

async function* filesOf(query: SearchQuery, unreadable: string[]): AsyncGenerator<{ readonly path: string; readonly relative: string }> {
  if (query.isFile) {
    yield { path: query.path, relative: basename(query.path) };
    return;
  }
  const only = query.only === undefined ? undefined : globTest(query.only);
  const exclude = query.exclude === undefined ? undefined : globTest(query.exclude);
  const { ignored, skip, signal } = query;
  for await (const file of walk(query.path, { ignored, skip, signal, onUnreadable: (at) => unreadable.push(at) })) {
    if (!file.isLink && only?.(file.relative) !== false && exclude?.(file.relative) !== true) yield file;
  }
}

/** As in an ignore file: without a slash a name at any depth, with one a path from the top. */
function globTest(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\//, "");
  return picomatch(glob.includes("/") ? [pattern, `${pattern.replace(/\/$/, "")}/**`] : [pattern, `**/${pattern}/**`, `**/${pattern}`], {
    dot: true,
  });
}

async function textOf(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    return decodeText(await readFile(path))?.text;
  } catch {
    // ENOENT, EACCES: gone or closed to us since the folder was read.
    return undefined;
  }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function withContext(file: Text, hits: readonly number[], around: number): readonly SearchLine[] {
  const isHit = new Set(hits);
  const shown = new Set<number>();
  for (const hit of hits) for (let i = Math.max(0, hit - around); i <= Math.min(file.lines.length - 1, hit + around); i += 1) shown.add(i);
  return [...shown].sort((a, b) => a - b).map((i) => ({ file: file.file, line: i + 1, text: file.lines[i] ?? "", isMatch: isHit.has(i) }));
}
