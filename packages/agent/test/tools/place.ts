/** Gives a test a folder of its own, outside every repository, and a tool context in it. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@carabiner/engine";
import { onTestFinished } from "vitest";
import { createTaskList } from "../../src/tasks/index.ts";
import { DEFAULT_LIMITS, TOOLS, type Tool, type ToolContext, type ToolLimits, type ToolOutput } from "../../src/tools/index.ts";

export interface Place {
  readonly root: string;
  readonly home: string;
  /** Above the root: what the tools must not reach. */
  readonly outside: string;
  readonly ctx: ToolContext;
  readonly put: (path: string, content: string | Uint8Array, mode?: number) => string;
}

/** Removed, with everything in it, when the test is over. */
export function place(changes: Partial<Omit<ToolContext, "limits">> & { readonly limits?: Partial<ToolLimits> } = {}): Place {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-tools-")));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const [root, home] = [join(outside, "project"), join(outside, "home")];
  mkdirSync(root);
  mkdirSync(home);
  const ctx: ToolContext = {
    cwd: root,
    roots: [root],
    home,
    env: { PATH: process.env["PATH"], HOME: home },
    signal: new AbortController().signal,
    tasks: createTaskList([], () => undefined),
    ...changes,
    limits: { ...DEFAULT_LIMITS, ...changes.limits },
  };
  const put: Place["put"] = (path, content, mode) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  };
  return { root, home, outside, ctx, put };
}

export function tool(kind: Tool["kind"]): Tool {
  const found = TOOLS.find((t) => t.kind === kind);
  if (found === undefined) throw new Error(`There is no tool of kind ${kind}.`);
  return found;
}

/** As the agent does it: checked, then run. */
export function run(kind: Tool["kind"], input: JsonObject, ctx: ToolContext): Promise<ToolOutput> {
  const checked = tool(kind).check(input);
  if (!checked.ok) throw new Error(checked.problem);
  return tool(kind).run(checked.value, ctx);
}
