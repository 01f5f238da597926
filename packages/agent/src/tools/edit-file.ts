/** The tool that turns one passage of a file into another. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { encodeText } from "./decode-text.ts";
import { defineTool } from "./define-tool.ts";
import { type Failed, failed, failedOnFile } from "./failed.ts";
import { type Change, confirmEdit, diffDisplay } from "./file-diff.ts";
import { inside } from "./inside.ts";
import { openFile } from "./open-file.ts";
import { replaceText } from "./replace-text.ts";
import type { ToolContext } from "./tool.ts";

const args = z.object({
  file: z.string().min(1).describe("Path of the file, absolute or relative to the working directory."),
  old: z
    .string()
    .describe(
      "The passage to replace, exactly as it stands in the file, with enough lines around it to occur once. Empty: the file is to be created.",
    ),
  new: z.string().describe("What takes its place, exactly."),
  all: z.boolean().optional().describe("Replace every occurrence instead of the only one. Default: false."),
  why: z.string().optional().describe("What the change is for, in one sentence; shown to people."),
});

/** Displays the change as a diff. A passage that is absent or not unique is an error with a hint, and the file is as it was. */
export const editFileTool = defineTool({
  kind: "editFile",
  effect: "edit",
  describe:
    "Replaces a passage of a file by another. The passage must occur exactly once, unless every occurrence is to be replaced. Read the file first.",
  args,
  confirmation: async (input, ctx) => {
    const planned = await plan(input, ctx);
    return "error" in planned
      ? { type: "info", title: "Confirm Edit", prompt: `Edit ${input.file}. It cannot succeed: ${planned.error.message}` }
      : confirmEdit(planned, "Edit");
  },
  run: async (input, ctx) => {
    const planned = await plan(input, ctx);
    if ("error" in planned) return planned;
    try {
      await mkdir(dirname(planned.path), { recursive: true });
      await writeFile(planned.path, planned.bytes, { signal: ctx.signal });
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      return failedOnFile(error, planned.shown, "file_write_failure");
    }
    const what = planned.isNew ? "Created" : `Replaced ${planned.count} passage${planned.count === 1 ? "" : "s"} in`;
    return { content: `${what} ${planned.shown}.`, display: diffDisplay(planned) };
  },
});

type Planned = Change & { readonly shown: string; readonly bytes: Buffer; readonly count: number };

async function plan(input: z.infer<typeof args>, ctx: ToolContext): Promise<Planned | Failed> {
  const opened = await openFile(input.file, ctx);
  if (opened.kind === "media")
    return failed("read_content_failure", `${opened.shown}: ${opened.mimeType} is no text; it cannot be edited.`);
  if (opened.kind === "refused") {
    return opened.output.error.type === "file_not_found" ? planNew(input, ctx, opened.output) : opened.output;
  }
  const { path, shown, text, encoding, lossy } = opened;
  if (lossy)
    return failed(
      "read_content_failure",
      `${shown}: not in UTF-8; an edit would damage the rest of the file. Change it with a shell command.`,
    );
  if (input.old === "" && text !== "") {
    return failed(
      "attempt_to_create_existing_file",
      `${shown}: it exists and is not empty. Name the passage to replace, or write the whole file.`,
    );
  }
  const replaced =
    input.old === ""
      ? ({ ok: true, text: input.new, count: 1 } as const)
      : replaceText(text, { old: input.old, new: input.new, all: input.all === true });
  if (!replaced.ok) return failed(replaced.type, `${shown}: ${replaced.problem}. Nothing was changed.`);
  return {
    path,
    shown,
    original: text,
    next: replaced.text,
    isNew: false,
    count: replaced.count,
    bytes: encodeText(replaced.text, encoding),
  };
}

async function planNew(input: z.infer<typeof args>, ctx: ToolContext, absent: Failed): Promise<Planned | Failed> {
  if (input.old !== "")
    return failed("file_not_found", `${absent.error.message} An edit needs a file; with an empty old text it creates one.`);
  const place = await inside(input.file, ctx);
  if (!place.ok) return place.output;
  return {
    path: place.path,
    shown: place.shown,
    original: "",
    next: input.new,
    isNew: true,
    count: 1,
    bytes: Buffer.from(input.new, "utf8"),
  };
}
