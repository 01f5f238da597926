/** Opens the engine of this folder with all that makes a decision about the folder necessary, as the agent does. */
import { join } from "node:path";
import { createEngine, type Engine } from "@carabiner/engine";
import type { Io } from "../io.ts";

export async function openProject({ cwd, home, env }: Io): Promise<Engine> {
  const { profileOf } = await import("@carabiner/agent");
  const { dialects } = createEngine({ cwd, home, env });
  const files = dialects.map(({ id }) => profileOf(id)).flatMap(({ contextFiles, envFiles }) => [...contextFiles, ...envFiles]);
  return createEngine({ cwd, home, env, projectFiles: [...new Set(files)].map((name) => join(cwd, name)) });
}
