/** Opens the engine of this folder for commands that look at its hooks or change them, without running any. */
import { createEngine, DIALECTS, type Engine } from "@carabiner/engine";
import type { Io } from "../io.ts";

export type OpenedEngine = { readonly ok: true; readonly engine: Engine } | { readonly ok: false; readonly problem: string };

/** `dialects`: ids separated by commas, as `--dialect` has them; `projectFiles`: what else makes a decision about the folder necessary. */
export function openEngine({ cwd, home, env }: Io, dialects?: string, projectFiles?: readonly string[]): OpenedEngine {
  const ids = dialects?.split(",").map((id) => id.trim());
  const unknown = ids?.find((id) => !DIALECTS.some((dialect) => dialect.id === id));
  if (unknown !== undefined)
    return { ok: false, problem: `--dialect ${JSON.stringify(unknown)}: expected one or more of ${DIALECT_IDS.join(", ")}.` };
  return {
    ok: true,
    engine: createEngine({ cwd, home, env, ...(ids ? { dialects: ids } : {}), ...(projectFiles ? { projectFiles } : {}) }),
  };
}

export const DIALECT_IDS: readonly string[] = DIALECTS.map(({ id }) => id);
export const DIALECT_OPTION = ["--dialect <ids>", `whose hooks, separated by commas: ${DIALECT_IDS.join(", ")}`] as const;
