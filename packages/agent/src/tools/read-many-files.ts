/** The tool that turns glob patterns into the contents of all files that they name. */
import { stat } from "node:fs/promises";
import type { Json } from "@carabiner/engine";
import picomatch from "picomatch";
import * as z from "zod";
import { cutAt } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { ignoreRules } from "./ignored.ts";
import { inside } from "./inside.ts";
import { productIgnoreFiles } from "./kept-back.ts";
import { openFile } from "./open-file.ts";
import type { ToolContext } from "./tool.ts";
import { relativePattern, skippedFolders, walk } from "./walk.ts";

/** Parts in the order of the names, `maxTextBytes` of text in all; what is left out is named at the end. An error only when nothing could be read. */
export const readManyFilesTool = defineTool({
  kind: "readManyFiles",
  effect: "read",
  describe:
    "Reads all files that match some glob patterns and returns their texts one after another, each under its path. Images and PDF come only when a pattern names them. Files that git ignores are left out.",
  args: z.object({
    include: z.array(z.string().min(1)).min(1).describe("Glob patterns, files or folders, relative to the working directory."),
    exclude: z.array(z.string()).optional().describe("Glob patterns of files to leave out."),
    recursive: z.boolean().optional().describe("Whether folders below a named folder count. Default: true."),
  }),
  confirmation: ({ include }) => ({ type: "info", title: "Confirm Read", prompt: `Read ${include.join(", ")}` }),
  run: async ({ include, exclude = [], recursive = true }, ctx) => {
    const here = await inside(".", ctx);
    if (!here.ok) return here.output;
    const asked = include.map((pattern) => relativePattern(pattern, here.path));
    const patterns = await Promise.all(asked.map((pattern) => patternOf(pattern, recursive, ctx)));
    const wanted = picomatch(patterns, { dot: true });
    const unwanted = picomatch([...exclude], { dot: true });
    const named = new Set(asked);
    const files: string[] = [];
    const skipped: string[] = [];
    const ignored = ignoreRules({ root: here.root, from: here.path, git: true, productFiles: productIgnoreFiles(ctx) });
    const options = {
      ignored,
      skip: skippedFolders(...include),
      signal: ctx.signal,
      onUnreadable: (at: string) => skipped.push(`${at}: this folder could not be read`),
    };
    for await (const file of walk(here.path, options)) if (wanted(file.relative) && !unwanted(file.relative)) files.push(file.relative);
    ctx.signal.throwIfAborted();

    const parts: ({ readonly text: string } | Json)[] = [];
    let room = ctx.limits.maxTextBytes;
    let read = 0;
    for (const [i, file] of files.entries()) {
      if (room <= 0 || read >= ctx.limits.maxFiles) {
        skipped.push(`${files.length - i} more files: the limit of one call is reached`);
        break;
      }
      const opened = await openFile(file, ctx);
      if (opened.kind === "refused") skipped.push(opened.output.error.message);
      else if (opened.kind === "text") {
        const cut = cutAt(opened.text, room);
        parts.push({
          text: `--- ${file} ---\n${cut ?? opened.text}${cut === undefined ? "" : "\n[cut here: the limit of one call is reached]"}\n`,
        });
        room -= Buffer.byteLength(cut ?? opened.text);
        read += 1;
      } else if (named.has(file) || include.some((pattern) => namesEnding(pattern, file))) {
        parts.push(...(Array.isArray(opened.content) ? opened.content : [opened.content]));
        read += 1;
      } else skipped.push(`${file}: ${opened.mimeType}, shown only when a pattern names its kind`);
    }
    const notes = skipped.length > 0 ? [{ text: `[not shown]\n${skipped.slice(0, 50).join("\n")}` }] : [];
    if (read === 0) return failed("file_not_found", [`No file to read matches ${include.join(", ")}.`, ...skipped.slice(0, 10)].join("\n"));
    return { content: [...parts, ...notes], display: `Read ${read} files${skipped.length > 0 ? `; not shown: ${skipped.length}` : ""}` };
  },
});

/** A folder means everything in it; without `recursive`, `**` stands for one level. */
async function patternOf(pattern: string, recursive: boolean, ctx: ToolContext): Promise<string> {
  const plain = pattern.replace(/\/$/, "");
  const place = await inside(plain === "" ? "." : plain, ctx);
  const isFolder =
    place.ok &&
    (await stat(place.path).then(
      (about) => about.isDirectory(),
      () => false,
    ));
  const whole = isFolder ? (plain === "" || plain === "." ? "**" : `${plain}/**`) : plain;
  return recursive ? whole : whole.replace(/\*\*\//g, "").replace(/\*\*/g, "*");
}

/** `assets/*.png` asks for pictures, `assets/*` does not. */
const namesEnding = (pattern: string, file: string): boolean => {
  const ending = /\.\w+$/.exec(file)?.[0];
  return ending !== undefined && pattern.toLowerCase().includes(ending.toLowerCase());
};
