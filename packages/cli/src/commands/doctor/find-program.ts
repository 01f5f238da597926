/** Turns a program's name and a PATH into the file that would be started. */
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** `undefined`: there is none. A name with a slash is a file, and must be absolute. Windows adds the endings of PATHEXT. */
export function findProgram(name: string, path: string, platform: NodeJS.Platform = process.platform, pathExt = ""): string | undefined {
  if (name.includes("/")) return isAbsolute(name) && isProgram(name, platform) ? name : undefined;
  const endings = platform === "win32" ? ["", ...pathExt.split(";").filter((ending) => ending !== "")] : [""];
  for (const directory of path.split(platform === "win32" ? ";" : ":")) {
    // An empty part of PATH is the directory one is in, which is not known before the hook runs.
    if (directory === "") continue;
    for (const ending of endings) {
      const file = join(directory, name + ending);
      if (isProgram(file, platform)) return file;
    }
  }
  return undefined;
}

function isProgram(file: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    // For root every file may be executed that has one of the three bits; Windows has no such bit.
    accessSync(file, platform === "win32" ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    // ENOENT, ENOTDIR, EACCES: not to be started from here.
    return false;
  }
}
