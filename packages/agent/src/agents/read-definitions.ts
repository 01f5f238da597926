/** Turns the agents folders of project and user into definitions; the project's counts where both have one of a name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentDefinition, readDefinition } from "./definition.ts";

export interface Definitions {
  readonly definitions: readonly AgentDefinition[];
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
}

/** `folders`: the strongest first. A file that cannot be used costs only itself; a folder that is not there has none. */
export function readDefinitions(folders: readonly string[]): Definitions {
  const byName = new Map<string, AgentDefinition>();
  const problems: { file: string; problem: string }[] = [];
  for (const folder of folders) {
    for (const name of markdownIn(folder)) {
      const file = join(folder, name);
      const read = readDefinition(readFileSync(file, "utf8"), file);
      if (!read.ok) problems.push({ file, problem: read.problem });
      else if (!byName.has(read.definition.name)) byName.set(read.definition.name, read.definition);
    }
  }
  return { definitions: [...byName.values()], problems };
}

function markdownIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // ENOENT: most projects define no agents
  }
}
