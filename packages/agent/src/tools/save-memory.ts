/** The tool that turns a fact into a line of the file that every later session reads. */
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failedOnFile } from "./failed.ts";
import { confirmEdit, diffDisplay } from "./file-diff.ts";
import type { ToolContext } from "./tool.ts";

/** Displays the change as a diff. White space in the fact becomes single spaces. */
export const saveMemoryTool = defineTool({
  kind: "saveMemory",
  effect: "memory",
  describe:
    "Remembers one fact about the person or their wishes for all later sessions. Only for what they asked to be remembered or what will clearly matter again; never secrets, never what belongs to the present task.",
  args: z.object({ fact: z.string().trim().min(1).describe("The fact, as one sentence that can be understood by itself.") }),
  confirmation: ({ fact }, ctx) => confirmEdit(planned(fact, ctx), "Memory Save"),
  // Synchronous from reading to renaming: two facts saved at once must both stay.
  run: ({ fact }, ctx) => {
    const { file } = memoryOf(ctx);
    try {
      const change = planned(fact, ctx);
      replaceFile(change.path, change.next);
      return { content: `Remembered: ${oneLine(fact)}`, display: diffDisplay(change) };
    } catch (error) {
      return failedOnFile(error, file, "file_write_failure");
    }
  },
});

/** Source: gemini-cli, memory tool: where added memories stand. */
const memoryOf = (ctx: ToolContext): { readonly file: string; readonly heading: string } =>
  ctx.memory ?? { file: join(ctx.home, ".gemini", "GEMINI.md"), heading: "Gemini Added Memories" };

function planned(
  fact: string,
  ctx: ToolContext,
): { readonly path: string; readonly original: string; readonly next: string; readonly isNew: boolean } {
  const { file, heading } = memoryOf(ctx);
  const original = textOf(file);
  return { path: file, original: original ?? "", next: withBullet(original ?? "", heading, oneLine(fact)), isNew: original === undefined };
}

/** A fact of several lines could bring headings and instructions of its own. */
const oneLine = (fact: string): string =>
  fact
    .replace(/\s+/g, " ")
    .replace(/^(-\s*)+/, "")
    .trim();

/** At the end of the heading's section; the heading is added at the end of the file if it is not there. */
function withBullet(text: string, heading: string, fact: string): string {
  const lines = text.replace(/\s+$/, "").split("\n");
  const at = lines.findIndex((line) => line.trim() === `## ${heading}`);
  if (at === -1) return `${text.trim() === "" ? "" : `${lines.join("\n")}\n\n`}## ${heading}\n- ${fact}\n`;
  const next = lines.findIndex((line, i) => i > at && /^#{1,2} /.test(line));
  let end = next === -1 ? lines.length : next;
  while (end > at + 1 && lines[end - 1]?.trim() === "") end -= 1;
  return `${[...lines.slice(0, end), `- ${fact}`, ...lines.slice(end)].join("\n")}\n`;
}

/** Written beside and renamed, so that a reader sees the old text or the new one. A link stays a link; the mode stays. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const target = textOf(file) === undefined ? file : realpathSync(file);
  const beside = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text);
    if (target !== file || textOf(file) !== undefined) chmodSync(beside, statSync(target).mode & 0o777);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
