/** Turns a search into a run of ripgrep. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import * as z from "zod";
import { repositoryTop } from "./ignored.ts";
import type { SearchLine, SearchQuery, SearchResult } from "./search.ts";

/** The `rg` on the PATH, if there is one. */
export function findRipgrep(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  return (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/**
 * Same files, same order, same lines as our own search. `undefined` when ripgrep cannot do it (a pattern that its engine refuses, such as
 * one with look-ahead; a program that does not start): our own search is to be asked then.
 */
export function searchWithRipgrep(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  query: SearchQuery,
): Promise<SearchResult | undefined> {
  return new Promise((resolve) => {
    // Globs with a slash are read relative to the working directory.
    const folder = query.isFile ? dirname(query.path) : query.path;
    const child = spawn(program, [...argumentsFor(query), query.isFile ? `./${basename(query.path)}` : "."], {
      cwd: folder,
      env: { ...env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const lines: SearchLine[] = [];
    let matches = 0;
    let ended: "full" | "late" | undefined;
    const end = (why: "full" | "late"): void => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => end("late"), query.timeoutMs);
    const onAbort = (): void => end("late");
    query.signal.addEventListener("abort", onAbort, { once: true });
    if (query.signal.aborted) onAbort();
    const take = (text: string): void => {
      const found = ended === "full" ? undefined : lineOf(text, folder);
      // The product's own ignore files are ours to apply.
      if (found === undefined || query.ignored(join(folder, found.file), false)) return;
      // One match more than asked for says that there are more.
      if (found.isMatch && matches === query.maxMatches) end("full");
      else lines.push(found);
      if (found.isMatch) matches += 1;
    };
    const splitter = splitLines(take);
    child.stdout.on("data", splitter);
    const done = (result: SearchResult | undefined): void => {
      clearTimeout(timer);
      query.signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    child.on("error", () => done(undefined));
    child.on("close", (code) => {
      if (ended === undefined && code !== 0 && code !== 1 && lines.length === 0) return done(undefined);
      const notes =
        ended === "late"
          ? [`[the search was ended after ${query.timeoutMs} ms; there may be more]`]
          : code === 2
            ? ["[some files or folders could not be read]"]
            : [];
      done({ ok: true, lines: ended === "full" ? nearMatches(lines, query.context) : lines, more: ended === "full", notes });
    });
  });
}

function argumentsFor(query: SearchQuery): readonly string[] {
  return [
    ...[
      "--json",
      "--no-config",
      "--no-messages",
      "--hidden",
      "--sort",
      "path",
      "--no-ignore-dot",
      "--no-ignore-global",
      "--encoding",
      "auto",
    ],
    ...(repositoryTop(query.path) === undefined ? ["--no-require-git"] : []),
    ...(query.rulesFromAbove ? [] : ["--no-ignore-parent"]),
    query.caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(query.literal ? ["--fixed-strings"] : []),
    ...["--context", String(query.context), "--max-filesize", String(query.maxFileBytes)],
    ...(query.only === undefined ? [] : ["--glob", query.only]),
    ...(query.exclude === undefined ? [] : ["--glob", `!${query.exclude}`]),
    ...[...query.skip].flatMap((name) => ["--glob", `!**/${name}/**`]),
    ...["--regexp", query.pattern, "--"],
  ];
}

/** Source: ripgrep, documentation of `--json`. Text that is not UTF-8 comes as base64. */
const textOrBytes = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const message = z.object({
  type: z.enum(["match", "context"]),
  data: z.object({ path: textOrBytes, lines: textOrBytes, line_number: z.int() }),
});

function lineOf(text: string, folder: string): SearchLine | undefined {
  const parsed = message.safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  const { type, data } = parsed.data;
  return {
    file: relative(folder, join(folder, plain(data.path))),
    line: data.line_number,
    text: plain(data.lines).replace(/\r?\n$/, ""),
    isMatch: type === "match",
  };
}

const plain = (value: z.infer<typeof textOrBytes>): string =>
  "text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("utf8");

function splitLines(take: (line: string) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]).toString("utf8");
      rest = [];
      from = at + 1;
      if (line !== "") take(line);
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  };
}

/** Without the lines that were there for the match after the last one. */
function nearMatches(lines: readonly SearchLine[], context: number): readonly SearchLine[] {
  const lastAt = lines.findLastIndex((line) => line.isMatch);
  const last = lines[lastAt];
  return lines.filter((line, i) => i <= lastAt || (line.file === last?.file && line.line <= last.line + context));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // ENOENT or EACCES: not this one.
    return false;
  }
}
