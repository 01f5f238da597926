/** Turns a path into the text, the picture or the refusal that a model gets for it. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { Json } from "@carabiner/engine";
import { type DecodedText, decodeText } from "./decode-text.ts";
import { type Failed, failed, failedOnFile } from "./failed.ts";
import { inside } from "./inside.ts";
import { keptBack } from "./kept-back.ts";
import { mediaType } from "./media-type.ts";
import type { ToolContext } from "./tool.ts";

/** What was found at a path. `media` is ready for the model; a `refused` file was not read, or is nothing that a model can be shown. */
export type Opened =
  | ({ readonly kind: "text"; readonly path: string; readonly shown: string } & DecodedText)
  | { readonly kind: "media"; readonly path: string; readonly shown: string; readonly mimeType: string; readonly content: Json }
  | { readonly kind: "refused"; readonly output: Failed };

/** Opens only regular files, inside the roots, not hidden by the product's ignore file, and not larger than the limits. */
export async function openFile(given: string, ctx: ToolContext): Promise<Opened> {
  const place = await inside(given, ctx);
  if (!place.ok) return { kind: "refused", output: place.output };
  const refuse = (output: Failed): Opened => ({ kind: "refused", output });
  const { path, shown } = place;
  const hidden = keptBack(place, ctx);
  if (hidden !== undefined) return refuse(hidden);
  const bytes = await readRegular(path, shown, ctx).catch((error: unknown) => failedOnFile(error, shown, "read_content_failure"));
  if (!Buffer.isBuffer(bytes)) return refuse(bytes);
  const mimeType = mediaType(bytes);
  if (mimeType !== undefined) {
    if (bytes.length > ctx.limits.maxMediaBytes) return refuse(tooLarge(shown, bytes.length, ctx.limits.maxMediaBytes));
    return {
      kind: "media",
      path,
      shown,
      mimeType,
      content: [{ text: `${basename(path)} (${mimeType}):` }, { inlineData: { mimeType, data: bytes.toString("base64") } }],
    };
  }
  const decoded = decodeText(bytes);
  if (decoded === undefined) {
    return refuse(
      failed(
        "read_content_failure",
        `${shown}: a binary file of ${bytes.length} bytes; only text, images and PDF can be shown. A shell command can look into it.`,
      ),
    );
  }
  return { kind: "text", path, shown, ...decoded };
}

async function readRegular(path: string, shown: string, ctx: ToolContext): Promise<Buffer | Failed> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) return failed("target_is_directory", `${shown}: this is a folder, not a file. List it instead.`);
    if (!stat.isFile())
      return failed("read_content_failure", `${shown}: neither a file nor a folder (a device, a pipe or a socket); it was not read.`);
    if (stat.size > ctx.limits.maxFileBytes) return tooLarge(shown, stat.size, ctx.limits.maxFileBytes);
    return await handle.readFile({ signal: ctx.signal });
  } finally {
    await handle.close();
  }
}

const tooLarge = (shown: string, bytes: number, limit: number): Failed =>
  failed("file_too_large", `${shown}: ${bytes} bytes, and the limit is ${limit}. Search it, or take a part of it with a shell command.`);
