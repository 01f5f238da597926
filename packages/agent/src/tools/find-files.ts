/** The tool that turns a glob pattern into the files that it names, newest first. */
import { stat } from "node:fs/promises";
import picomatch from "picomatch";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { ignoreRules } from "./ignored.ts";
import { inside } from "./inside.ts";
import { keptBack, productIgnoreFiles } from "./kept-back.ts";
import { relativePattern, skippedFolders, walk } from "./walk.ts";

/** At most `maxFiles` paths. No match is an answer, not an error. */
export const findFilesTool = defineTool({
  kind: "findFiles",
  effect: "read",
  describe: "Finds files by a glob pattern such as **/*.ts or src/**/*.{md,json}. Gives absolute paths, the most recently changed first.",
  args: z.object({
    pattern: z.string().min(1).describe("Glob pattern, matched against paths relative to the folder that is searched."),
    directory: z.string().optional().describe("Folder to search. Default: the working directory."),
    caseSensitive: z.boolean().optional().describe("Whether upper and lower case differ. Default: false."),
    respectGitIgnore: z.boolean().optional().describe("Whether files that git ignores are left out. Default: true."),
  }),
  confirmation: ({ pattern, directory = "." }) => ({ type: "info", title: "Confirm Search", prompt: `Find ${pattern} in ${directory}` }),
  run: async ({ pattern, directory = ".", caseSensitive = false, respectGitIgnore = true }, ctx) => {
    const place = await inside(directory, ctx);
    if (!place.ok) return place.output;
    const { path, root, shown } = place;
    const hidden = keptBack(place, ctx, true);
    if (hidden !== undefined) return hidden;
    const folder = await stat(path).catch(() => undefined);
    if (folder === undefined) return failed("file_not_found", `${shown}: there is no such folder.`);
    if (!folder.isDirectory()) return failed("path_is_not_a_directory", `${shown}: this is a file; name the folder to search.`);

    const wanted = picomatch(relativePattern(pattern, path), { dot: true, nocase: !caseSensitive });
    const unreadable: string[] = [];
    const ignored = ignoreRules({ root, from: path, git: respectGitIgnore, productFiles: productIgnoreFiles(ctx) });
    const found: { readonly path: string; readonly changedMs: number }[] = [];
    for await (const file of walk(path, {
      ignored,
      skip: skippedFolders(pattern, directory),
      signal: ctx.signal,
      onUnreadable: (at) => unreadable.push(at),
    })) {
      if (!wanted(file.relative)) continue;
      // A link counts if it leads to a file; a link to nowhere or to a folder does not.
      const about = await stat(file.path).catch(() => undefined);
      if (about?.isFile() === true) found.push({ path: file.path, changedMs: about.mtimeMs });
    }
    ctx.signal.throwIfAborted();
    const notes = unreadable.length > 0 ? [`[${unreadable.length} folders could not be read: ${unreadable.slice(0, 5).join(", ")}]`] : [];
    if (found.length === 0)
      return { content: [`No files match ${pattern} in ${path}.`, ...notes].join("\n"), display: `No files match ${pattern}` };
    const newest = found.sort((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1)).map((file) => file.path);
    const listed = newest.slice(0, ctx.limits.maxFiles);
    if (listed.length < newest.length) notes.unshift(`[${newest.length - listed.length} more not shown; narrow the pattern]`);
    return {
      content: [`${newest.length} files match ${pattern} in ${path}, newest first:`, ...listed, ...notes].join("\n"),
      display: `Found ${newest.length} files`,
    };
  },
});
