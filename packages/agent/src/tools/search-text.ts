/** The tool that turns a regular expression into the lines that match it. */
import { stat } from "node:fs/promises";
import * as z from "zod";
import { cutAt, cutLine } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { ignoreRules, repositoryTop } from "./ignored.ts";
import { inside } from "./inside.ts";
import { keptBack, productIgnoreFiles } from "./kept-back.ts";
import type { SearchLine, SearchQuery, SearchResult } from "./search.ts";
import { searchOwn } from "./search-own.ts";
import { findRipgrep, searchWithRipgrep } from "./search-ripgrep.ts";
import type { ToolContext, ToolOutput } from "./tool.ts";
import { skippedFolders } from "./walk.ts";

/** The same answer with ripgrep (if it is on the PATH) and without. No match is an answer, not an error. */
export const searchTextTool = defineTool({
  kind: "searchText",
  effect: "read",
  describe:
    "Searches the text of files, line by line, for a regular expression. Gives the matching lines with file and line number. Files that git ignores are left out.",
  args: z.object({
    pattern: z.string().min(1).describe("Regular expression to look for in each line."),
    directory: z.string().optional().describe("Folder or single file to search. Default: the working directory."),
    only: z.string().min(1).optional().describe("Glob of the files to search, such as *.ts or src/**/*.{ts,tsx}. Default: all."),
    exclude: z.string().min(1).optional().describe("Glob of files to leave out."),
    caseSensitive: z.boolean().optional().describe("Whether upper and lower case differ. Default: false."),
    literal: z.boolean().optional().describe("Take the pattern as plain characters. Default: false."),
    context: z.int().min(0).max(50).optional().describe("Lines to show before and after each match. Default: 0."),
    maxMatches: z.int().min(1).optional().describe("End the search after this many matching lines."),
    namesOnly: z.boolean().optional().describe("Give the names of the files with a match and no lines. Default: false."),
  }),
  confirmation: ({ pattern, directory = "." }) => ({ type: "info", title: "Confirm Search", prompt: `Search ${directory} for ${pattern}` }),
  run: async (input, ctx) => {
    const { pattern, directory = "." } = input;
    const place = await inside(directory, ctx);
    if (!place.ok) return place.output;
    const { path, root, shown } = place;
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) return failed("file_not_found", `${shown}: there is no such file or folder.`);
    if (!about.isDirectory() && !about.isFile())
      return failed("read_content_failure", `${shown}: neither a file nor a folder; it was not searched.`);
    const hidden = keptBack(place, ctx, about.isDirectory());
    if (hidden !== undefined) return hidden;
    const fromAbove = ignoreRules({ root, from: repositoryTop(path) ?? root, git: true, productFiles: [] });
    const result = await search(
      {
        path,
        pattern,
        isFile: about.isFile(),
        literal: input.literal === true,
        caseSensitive: input.caseSensitive === true,
        only: input.only,
        exclude: input.exclude,
        context: input.namesOnly === true ? 0 : (input.context ?? 0),
        maxMatches: input.maxMatches ?? ctx.limits.maxMatches,
        ignored: ignoreRules({ root, from: path, git: true, productFiles: productIgnoreFiles(ctx) }),
        rulesFromAbove: !fromAbove(path, about.isDirectory()),
        skip: skippedFolders(directory, input.only ?? ""),
        maxFileBytes: ctx.limits.maxFileBytes,
        timeoutMs: ctx.limits.searchTimeoutMs,
        signal: ctx.signal,
      },
      ctx,
    );
    ctx.signal.throwIfAborted();
    if (!result.ok) return failed("grep_execution_error", `Search for ${pattern}: ${result.problem}.`);
    return report(result, `${pattern} in ${shown}`, input.namesOnly === true, ctx);
  },
});

async function search(query: SearchQuery, ctx: ToolContext): Promise<SearchResult> {
  const program = findRipgrep(ctx.env);
  return (program === undefined ? undefined : await searchWithRipgrep(program, ctx.env, query)) ?? (await searchOwn(query));
}

function report(result: SearchResult & { readonly ok: true }, what: string, namesOnly: boolean, ctx: ToolContext): ToolOutput {
  const byFile = new Map<string, SearchLine[]>();
  for (const line of result.lines) {
    const lines = byFile.get(line.file);
    if (lines === undefined) byFile.set(line.file, [line]);
    else lines.push(line);
  }
  const matches = result.lines.filter((line) => line.isMatch).length;
  if (matches === 0) return { content: [`No matches for ${what}.`, ...result.notes].join("\n"), display: "No matches" };
  const counted = `${matches} ${matches === 1 ? "match" : "matches"}`;
  const head = `${counted} for ${what}, in ${byFile.size} ${byFile.size === 1 ? "file" : "files"}${result.more ? `; the search was ended there, and there are more` : ""}:`;
  const body = namesOnly ? [...byFile.keys()] : [...byFile].map(([file, lines]) => section(file, lines, ctx.limits.maxLineChars));
  const text = [head, ...body, ...result.notes].join("\n");
  const cut = cutAt(text, ctx.limits.maxTextBytes);
  return {
    content: cut === undefined ? text : `${cut}\n[cut at ${ctx.limits.maxTextBytes} bytes; narrow the pattern or the files]`,
    display: `Found ${counted}${result.more ? " (and more)" : ""}`,
  };
}

/** `L12: text` for a match, `L13- text` for a line around it, `...` where lines are left out. */
function section(file: string, lines: readonly SearchLine[], maxLineChars: number): string {
  const spelled = lines.map((line, i) => {
    const before = lines[i - 1];
    const gap = before !== undefined && !before.isMatch && line.line > before.line + 1 ? "...\n" : "";
    return `${gap}L${line.line}${line.isMatch ? ":" : "-"} ${cutLine(line.text, maxLineChars)}`;
  });
  return `File: ${file}\n${spelled.join("\n")}`;
}
