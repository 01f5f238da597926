/** Joins what was typed and what was piped into one prompt. */
import type { Io } from "../io.ts";

/** A pipe that nobody writes to and nobody closes must not keep the agent waiting: not long where there is a prompt without it. */
const SILENCE_MS = { typed: 500, nothingTyped: 60_000 } as const;
const MAX_BYTES = 8 * 1024 * 1024;

/** Piped text comes first. Source: the study of Gemini CLI, 2.7. */
export async function promptOf(typed: string, io: Io): Promise<string> {
  const piped = io.isTTY.in ? "" : await readPipe(io, typed.trim() === "" ? SILENCE_MS.nothingTyped : SILENCE_MS.typed);
  return [piped.trim(), typed.trim()].filter((text) => text !== "").join("\n\n");
}

/** What is beyond the limit is left out, which is told. */
function readPipe({ stdin, err }: Io, silenceMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(silence);
      stdin.off("data", onData).off("end", finish).off("error", finish);
      stdin.pause();
      // A pipe left open must not keep the program alive.
      if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
      const text = Buffer.concat(chunks).subarray(0, MAX_BYTES).toString("utf8");
      const isCut = bytes > MAX_BYTES;
      if (isCut)
        err(`[WARNING] The text that was piped in is longer than ${MAX_BYTES / 1024 / 1024} MiB; what comes after that is left out.\n`);
      resolve(isCut ? text.replace(/\uFFFD$/, "") : text);
    };
    const onData = (chunk: Buffer): void => {
      clearTimeout(silence);
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) finish();
    };
    const silence = setTimeout(finish, silenceMs);
    stdin.on("data", onData).on("end", finish).on("error", finish);
  });
}
