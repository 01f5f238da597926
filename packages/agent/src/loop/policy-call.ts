/** Turns a call into what permission rules see of it: which tool it is, its main argument, and the paths it comes to. */
import { relative, resolve } from "node:path";
import { type JsonObject, mainArgument, type ToolCall, type ToolWords } from "@carabiner/engine";
import type { PolicyCall } from "../permissions/index.ts";
import { isWithin, type Tool, toNeutral, toolByName, whereItLeads } from "../tools/index.ts";

export async function policyCall(words: ToolWords, tools: readonly Tool[], call: ToolCall, cwd: string, home: string): Promise<PolicyCall> {
  const found = call.mcp ? undefined : toolByName(words, call.name, tools);
  const neutral = found ? toNeutral(words, found.word.name, call.input) : {};
  // An address of its own is the one that is fetched, whatever the prompt holds.
  const address = found?.tool.kind === "fetchUrl" ? neutral["url"] : undefined;
  const main = typeof address === "string" ? address : mainArgument(words, call);
  const mainIsPath = main !== undefined && (neutral["file"] === main || neutral["directory"] === main);
  return {
    name: call.name,
    kind: found?.tool.kind,
    effect: found?.tool.effect ?? "execute",
    input: call.input,
    main,
    leadsTo: mainIsPath ? await behindLinks(main, cwd, home) : undefined,
    reads: mainIsPath ? undefined : readsOf(neutral),
    mcp: call.mcp,
  };
}

/** Where no link stands in the path it is `undefined`. That the project itself stands behind one does not count. */
async function behindLinks(given: string, cwd: string, home: string): Promise<string | undefined> {
  const path = resolve(cwd, given === "~" || given.startsWith("~/") ? home + given.slice(1) : given);
  const [real, folder] = await Promise.all([whereItLeads(path), whereItLeads(cwd)]);
  if (real === undefined || folder === undefined) return undefined;
  const told = isWithin(real, folder) ? resolve(cwd, relative(folder, real)) : real;
  return told === path ? undefined : told;
}

function readsOf(neutral: JsonObject): readonly string[] {
  const { directory, include } = neutral;
  return [directory, ...(Array.isArray(include) ? include : [])].filter((path) => typeof path === "string");
}
