/** Turns a reason into the output of a tool that could not do its work. */
import type { FailureType, ToolOutput } from "./tool.ts";

/** An output that surely holds the reason. */
export type Failed = ToolOutput & { readonly error: NonNullable<ToolOutput["error"]> };

/** The message is what the model reads, what a person sees and what hooks get as the error. */
export const failed = (type: FailureType, message: string): Failed => ({ content: message, display: message, error: { message, type } });

/** The failure for an exception of `node:fs` about one path; any other exception is thrown on. */
export function failedOnFile(error: unknown, shown: string, otherwise: FailureType): Failed {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) throw error;
  const [type, what] = REASONS[code] ?? [otherwise, `it failed with ${code}`];
  return failed(type, `${shown}: ${what}.`);
}

const REASONS: Readonly<Record<string, readonly [FailureType, string]>> = {
  ENOENT: ["file_not_found", "there is no such file or folder"],
  EISDIR: ["target_is_directory", "this is a folder, not a file"],
  ENOTDIR: ["path_is_not_a_directory", "a part of this path is a file, not a folder"],
  EACCES: ["permission_denied", "the operating system does not permit it"],
  EPERM: ["permission_denied", "the operating system does not permit it"],
  EROFS: ["permission_denied", "the file system is read-only"],
};
