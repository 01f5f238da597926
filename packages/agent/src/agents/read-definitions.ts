/** Turns the agents folders of project and user into definitions; the project's counts where both have one of a name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolKind, ToolWords } from "@carabiner/engine";
import { type AgentDefinition, readDefinition } from "./definition.ts";
import { absentTools, toolTest } from "./tool-test.ts";

/** `of` is the product whose folder it is. */
export interface AgentFolder {
  readonly folder: string;
  readonly of: string;
}
/** What is wrong with a file, and what happens now. */
export interface DefinitionProblem {
  readonly file: string;
  readonly what: string;
  readonly now: string;
}
export interface Definitions {
  readonly definitions: readonly AgentDefinition[];
  readonly problems: readonly DefinitionProblem[];
}

/**
 * `folders`: the strongest first. A file that cannot be used costs only itself; a folder that is not there has none. That a project's
 * definition stands before the user's is the products' way and no problem; two in one folder, or of two products, are. `offered`: the
 * kinds of tools that the session has.
 */
export function readDefinitions(
  folders: readonly AgentFolder[],
  vocabularies: readonly ToolWords[],
  offered: ReadonlySet<ToolKind>,
): Definitions {
  const byName = new Map<string, AgentDefinition & AgentFolder>();
  const problems: DefinitionProblem[] = [];
  for (const { folder, of } of folders) {
    const lost = (file: string, what: string): void => {
      problems.push({ file, what, now: "This sub-agent is not available." });
    };
    for (const name of markdownIn(folder, lost)) {
      const file = join(folder, name);
      const text = textOf(file, lost);
      if (text === undefined) continue;
      const read = readDefinition(text, file);
      if (!read.ok) {
        lost(file, read.problem);
        continue;
      }
      const { definition, notBuilt } = read;
      const other = byName.get(definition.name);
      if (other) {
        if (other.of !== of || other.folder === folder)
          lost(file, `${JSON.stringify(definition.name)} is the name of the sub-agent in ${other.file} already`);
        continue;
      }
      byName.set(definition.name, { ...definition, folder, of });
      if (notBuilt.length > 0)
        problems.push({ file, what: `${notBuilt.join(", ")}: not available in this version`, now: "The sub-agent works without it." });
      const { unknown } = toolTest(definition, vocabularies);
      if (unknown.length > 0)
        problems.push({
          file,
          what: `no tool is called ${unknown.map((one) => JSON.stringify(one)).join(", ")}`,
          now: "The sub-agent works without it.",
        });
      const absent = absentTools(definition, vocabularies, offered);
      if (absent.length > 0)
        problems.push({ file, what: `this session has no ${absent.join(", ")}`, now: "The sub-agent works without it." });
    }
  }
  return { definitions: [...byName.values()], problems };
}

type Lost = (file: string, what: string) => void;
const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : String(error));

/** Links count: people keep their definitions elsewhere. */
function markdownIn(folder: string, lost: Lost): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && entry.name.endsWith(".md"))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    // ENOENT: most projects define no agents.
    if (codeOf(error) !== "ENOENT") lost(folder, `the folder cannot be read (${codeOf(error)})`);
    return [];
  }
}

function textOf(file: string, lost: Lost): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    lost(file, `it cannot be read (${codeOf(error)})`);
    return undefined;
  }
}
