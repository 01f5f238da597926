/** The tool that turns one file into its lines, or into the picture it holds. */
import * as z from "zod";
import { cutAt, cutLine } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { openFile } from "./open-file.ts";
import type { ToolContext, ToolOutput } from "./tool.ts";

const line = z.int().min(1).optional();

/** Text comes as a string, a picture as parts. A range beyond the end of the file is an answer, not an error. */
export const readFileTool = defineTool({
  kind: "readFile",
  effect: "read",
  describe:
    "Reads one file and returns its text, or the picture itself for images and PDF. Long files come in part, with a notice that says which lines are shown and how to see the rest.",
  args: z.object({
    file: z.string().min(1).describe("Path of the file, absolute or relative to the working directory."),
    startLine: line.describe("First line to read, counted from 1. Default: the first line of the file."),
    endLine: line.describe("Last line to read, itself included. Default: as many lines as fit."),
  }),
  also: ({ startLine, endLine }, say) =>
    startLine !== undefined && endLine !== undefined && endLine < startLine
      ? `${say("endLine")}: expected the range to end at or after its start (${startLine}), got an end at ${endLine}. Nothing was read.`
      : undefined,
  confirmation: ({ file }) => ({ type: "info", title: "Confirm Read", prompt: `Read ${file}` }),
  run: async ({ file, startLine, endLine }, ctx) => {
    const opened = await openFile(file, ctx);
    if (opened.kind === "refused") return opened.output;
    if (opened.kind === "media") return { content: opened.content, display: `Read ${opened.shown} (${opened.mimeType})` };
    const read = lines(opened.text, opened.shown, { startLine, endLine }, ctx);
    return opened.lossy ? { ...read, content: `[Not in UTF-8: what could not be read is shown as \uFFFD.]\n\n${read.content}` } : read;
  },
});

function lines(
  text: string,
  shown: string,
  range: { readonly startLine: number | undefined; readonly endLine: number | undefined },
  ctx: ToolContext,
): ToolOutput & { readonly content: string } {
  const all = text.split("\n");
  // A final newline ends the last line and does not begin another.
  if (all.length > 1 && all.at(-1) === "") all.pop();
  const first = range.startLine ?? 1;
  if (text === "") return { content: "(the file is empty)", display: `${shown}: empty` };
  if (first > all.length)
    return { content: `(the file has ${all.length} lines; there is no line ${first})`, display: `${shown}: no line ${first}` };
  const asked = Math.min(range.endLine ?? first + ctx.limits.maxLines - 1, all.length);
  const wanted = all.slice(first - 1, asked).map((l) => cutLine(l, ctx.limits.maxLineChars));
  const joined = wanted.join("\n");
  const cut = cutAt(joined, ctx.limits.maxTextBytes);
  // The torn last line is left for the next read, unless it is the only one.
  const kept = cut === undefined ? wanted.length : Math.max(1, cut.split("\n").length - 1);
  const last = first + kept - 1;
  const body = cut === undefined ? joined : wanted.slice(0, kept).join("\n");
  const whole = first === 1 && last === all.length;
  const unasked = range.endLine === undefined || last < Math.min(range.endLine, all.length);
  const notice =
    last < all.length && unasked
      ? `[Lines ${first} to ${last} of ${all.length}. The file goes on: read it from line ${last + 1} for more.]\n\n`
      : "";
  const ended = whole && text.endsWith("\n") ? "\n" : "";
  return {
    content: notice + body + ended,
    display: whole ? `Read ${shown} (${all.length} lines)` : `Read lines ${first}-${last} of ${all.length} from ${shown}`,
  };
}
