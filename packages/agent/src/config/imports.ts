/** Turns a context file that imports others (`@./style.md`) into one text. Source: Gemini CLI documentation, "Memory Import Processor". */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { isWithin } from "../tools/index.ts";

export interface Importing {
  /** Imports lead to files in these folders only, links followed. */
  readonly folders: readonly string[];
  /** Hears of an import that is left as it stands, and why. */
  readonly notice: (text: string) => void;
}

const MAX_DEPTH = 5;

/**
 * `@path` at the beginning of a line or after white space, outside code and without the full stop behind it, gives way to the file of that path (relative to the importing file),
 * between two comments that name it. What names no file and does not look like one (`@somebody`) is let be; what looks like one is told.
 */
export function withImports(text: string, file: string, importing: Importing, above: readonly string[] = []): string {
  const from = [...above, realOf(file) ?? file];
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
      if (mark !== undefined || fence !== undefined) return line;
      return line.replace(/(`+)[^`]*\1|(?<=^|\s)@(\S*[^\s.,;:!?)])/g, (found, _code, path: string | undefined) => {
        if (path === undefined) return found;
        const target = resolve(dirname(file), path);
        const real = realOf(target);
        const why = whyNot(path, real, from, importing.folders);
        if (why !== undefined) {
          if (why !== "") importing.notice(`${file}: the import @${path} is left as it stands: ${why}.`);
          return found;
        }
        const inside = withImports(readFileSync(target, "utf8").trim(), target, importing, from);
        return `<!-- Imported from: ${path} -->\n${inside}\n<!-- End of import from: ${path} -->`;
      });
    })
    .join("\n");
}

/** `undefined`: it can be imported. `""`: it is no import at all. */
function whyNot(path: string, real: string | undefined, from: readonly string[], folders: readonly string[]): string | undefined {
  if (real === undefined || !isFile(real)) return /^(\.{0,2}\/)/.test(path) || extname(path) === ".md" ? "there is no such file" : "";
  if (!folders.some((folder) => isWithin(real, realOf(folder) ?? folder)))
    return "the file is outside the project and the folder of the user's settings";
  if (from.includes(real)) return "the file imports itself";
  return from.length > MAX_DEPTH ? `imports go ${MAX_DEPTH} deep and no deeper` : undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // ENOENT mostly
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // gone since its name was followed
  }
}
