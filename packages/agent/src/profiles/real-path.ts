/** The folder with links followed: what products name a project by. */
import { realpathSync } from "node:fs";

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a folder that is gone keeps the name it was asked for by
  }
}
