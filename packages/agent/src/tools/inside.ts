/** Turns a path that a model wrote into a real one inside the allowed folders, or into a refusal. */
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Failed, failed } from "./failed.ts";
import type { ToolContext } from "./tool.ts";

/** `path` is real (no link in it), `root` the allowed folder it is in, `shown` is for people: relative to the working directory if below it. */
export interface Place {
  readonly ok: true;
  readonly path: string;
  readonly root: string;
  readonly shown: string;
}
/** A place that may be used, or the refusal to hand back. */
export type Inside = Place | { readonly ok: false; readonly output: Failed };

/**
 * Follows every link, also of a file that does not exist yet and of a link to nowhere, before it compares with the roots: a link that
 * leads out is refused. The refusal (`path_not_in_workspace`) names the allowed folders and how to allow another.
 */
export async function inside(given: string, ctx: Pick<ToolContext, "cwd" | "roots">): Promise<Inside> {
  if (given.includes("\0"))
    return { ok: false, output: failed("invalid_tool_params", "The path holds a zero byte; no file has such a name.") };
  const asked = resolve(ctx.cwd, given);
  const path = await followed(asked, 0);
  if (path === undefined)
    return { ok: false, output: failed("path_not_in_workspace", `${given}: this path is a circle of symbolic links.`) };
  for (const root of ctx.roots) {
    const real = await followed(root, 0);
    if (real !== undefined && isWithin(path, real))
      return { ok: true, path, root: real, shown: shownFrom(await followed(ctx.cwd, 0), path) };
  }
  const led = path === asked ? "" : ` (it leads to ${path})`;
  return {
    ok: false,
    output: failed(
      "path_not_in_workspace",
      `${given}${led} is outside the folders that this session may use: ${ctx.roots.join(", ")}. Choose a path inside them; a person can allow another folder when starting the agent (--include-directories <folder>).`,
    ),
  };
}

/** Whether `path` is `folder` or something below it. Both real and absolute. */
export function isWithin(path: string, folder: string): boolean {
  const step = relative(folder, path);
  return step === "" || (step !== ".." && !step.startsWith(`..${sep}`) && !isAbsolute(step));
}

function shownFrom(cwd: string | undefined, path: string): string {
  const step = cwd === undefined ? path : relative(cwd, path);
  if (step === "") return ".";
  return step.startsWith("..") ? path : step;
}

/** The real path behind a path, also of a file that is not there yet. `undefined`: a circle of links, or a folder nobody may look into. */
export const whereItLeads = (path: string): Promise<string | undefined> => followed(path, 0).catch(() => undefined);

const MAX_LINKS = 40;
/** As the kernel would resolve it for a write: what exists is followed, what does not is kept as written. */
async function followed(path: string, links: number): Promise<string | undefined> {
  if (links > MAX_LINKS) return undefined;
  try {
    return await realpath(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ELOOP") return undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const above = await followed(parent, links);
  if (above === undefined) return undefined;
  const here = join(above, basename(path));
  // A link to nowhere: writing to it would create its target.
  const isLink = await lstat(here).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
  return isLink ? followed(resolve(above, await readlink(here)), links + 1) : here;
}
