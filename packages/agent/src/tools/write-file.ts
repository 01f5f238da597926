/** The tool that turns a text into the whole content of a file. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { decodeText } from "./decode-text.ts";
import { defineTool } from "./define-tool.ts";
import { type Failed, failed, failedOnFile } from "./failed.ts";
import { type Change, confirmEdit, diffDisplay } from "./file-diff.ts";
import { inside } from "./inside.ts";
import { keptBack } from "./kept-back.ts";
import type { ToolContext } from "./tool.ts";

/** Displays the change as a diff. The mode of a file that exists stays as it is. */
export const writeFileTool = defineTool({
  kind: "writeFile",
  effect: "edit",
  describe: "Writes a whole file: creates it, with the folders above it, or replaces everything that it holds.",
  args: z.object({
    file: z.string().min(1).describe("Path of the file, absolute or relative to the working directory."),
    content: z.string().describe("The complete text of the file. Never shortened: what is left out here is gone."),
  }),
  confirmation: async ({ file, content }, ctx) => {
    const planned = await plan(file, content, ctx);
    return "error" in planned
      ? { type: "info", title: "Confirm Write", prompt: `Write ${file}. It cannot succeed: ${planned.error.message}` }
      : confirmEdit(planned, "Write");
  },
  run: async ({ file, content }, ctx) => {
    const planned = await plan(file, content, ctx);
    if ("error" in planned) return planned;
    try {
      await mkdir(dirname(planned.path), { recursive: true });
      await writeFile(planned.path, content, { signal: ctx.signal });
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      return failedOnFile(error, planned.shown, "file_write_failure");
    }
    return {
      content: `${planned.isNew ? "Created" : "Replaced the content of"} ${planned.shown} (${Buffer.byteLength(content)} bytes).`,
      display: diffDisplay(planned),
    };
  },
});

type Planned = Change & { readonly shown: string };

async function plan(file: string, content: string, ctx: ToolContext): Promise<Planned | Failed> {
  const place = await inside(file, ctx);
  if (!place.ok) return place.output;
  const { path, shown } = place;
  const hidden = keptBack(place, ctx);
  if (hidden !== undefined) return hidden;
  try {
    const found = await stat(path);
    if (found.isDirectory()) return failed("target_is_directory", `${shown}: this is a folder; a file cannot be written in its place.`);
    if (!found.isFile())
      return failed("file_write_failure", `${shown}: neither a file nor a folder (a device, a pipe or a socket); it was not written.`);
    const original = found.size > ctx.limits.maxFileBytes ? undefined : decodeText(await readFile(path))?.text;
    return { path, shown, original: original ?? "", next: content, isNew: false };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { path, shown, original: "", next: content, isNew: true };
    return failedOnFile(error, shown, "file_write_failure");
  }
}
