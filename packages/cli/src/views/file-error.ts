/** Says in words why a file could not be read or written. */

/** An exception of `node:fs`; what is none is told as it is. */
export function fileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return WORDS[code] ?? code;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EACCES: "the operating system does not permit it",
  EPERM: "the operating system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};
