/** The tool that turns a folder into the names in it. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import picomatch from "picomatch";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failedOnFile } from "./failed.ts";
import { ignoreRules } from "./ignored.ts";
import { inside } from "./inside.ts";
import { keptBack, productIgnoreFiles } from "./kept-back.ts";

/** At most `maxFiles` entries, in the order of their names. */
export const listDirectoryTool = defineTool({
  kind: "listDirectory",
  effect: "read",
  describe:
    "Lists what is directly in one folder: folders first, then files with their size. What .gitignore and the like leave out is counted, not named.",
  args: z.object({
    directory: z
      .string()
      .optional()
      .describe("Path of the folder, absolute or relative to the working directory. Default: the working directory."),
    ignore: z.array(z.string()).optional().describe("Glob patterns of names to leave out, such as *.log."),
  }),
  confirmation: ({ directory = "." }) => ({ type: "info", title: "Confirm Listing", prompt: `List ${directory}` }),
  run: async ({ directory = ".", ignore = [] }, ctx) => {
    const place = await inside(directory, ctx);
    if (!place.ok) return place.output;
    const { path, root, shown } = place;
    const hidden = keptBack(place, ctx, true);
    if (hidden !== undefined) return hidden;
    const ignored = ignoreRules({ root, from: path, git: true, productFiles: productIgnoreFiles(ctx) });
    const unwanted = picomatch([...ignore], { dot: true });
    try {
      const entries = await readdir(path, { withFileTypes: true });
      const kept = entries.filter((e) => !ignored(join(path, e.name), e.isDirectory()) && !unwanted(e.name));
      const folders = kept
        .filter((e) => e.isDirectory())
        .map((e) => `[folder] ${e.name}`)
        .sort();
      const files = await Promise.all(
        kept
          .filter((e) => !e.isDirectory())
          .map((e) => e.name)
          .sort()
          .slice(0, ctx.limits.maxFiles)
          .map(async (name) => `${name} (${await described(join(path, name))})`),
      );
      const shownEntries = [...folders, ...files].slice(0, ctx.limits.maxFiles);
      const notes = [
        note(kept.length - shownEntries.length, "more not shown"),
        note(entries.length - kept.length, "left out as ignored"),
      ].filter((n) => n !== "");
      const body = shownEntries.length === 0 ? "(nothing to show)" : shownEntries.join("\n");
      return {
        content: [`In ${path}:`, body, ...notes].join("\n"),
        display: `Listed ${shown}: ${shownEntries.length} entries${notes.length > 0 ? ` ${notes.join(" ")}` : ""}`,
      };
    } catch (error) {
      return failedOnFile(error, shown, "execution_failed");
    }
  },
});

const note = (count: number, what: string): string => (count > 0 ? `[${count} ${what}]` : "");

async function described(path: string): Promise<string> {
  try {
    const stat = await lstat(path);
    if (stat.isSymbolicLink()) return "link";
    return stat.isFile() ? `${stat.size} bytes` : "neither file nor folder";
  } catch {
    // ENOENT: gone since the folder was read.
    return "gone";
  }
}
