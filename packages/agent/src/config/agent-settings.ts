/** Turns what the settings say about the agent itself into values of the right shape; what has another is told, and counts as not said. */
import { isObject, type Json } from "@carabiner/engine";
import type { Profile } from "../profiles/index.ts";

export interface AgentSettings {
  readonly modelName: string | undefined;
  /** Answers a prompt; `Infinity`: no bound. */
  readonly maxTurns: number | undefined;
  /** The part of the model's window a history may fill: above 0, at most 1. */
  readonly compressionThreshold: number | undefined;
  readonly contextFileNames: readonly string[] | undefined;
  /** May this MCP server be connected to? A server on neither list may where no list says which may. */
  readonly mayConnect: (server: string) => boolean;
}

/** `setting`: the strongest layer's value at a path. `notice` hears of each wrong value once. */
export function agentSettings(
  { settings }: Profile,
  setting: (path: string) => Json | undefined,
  notice: (text: string) => void,
): AgentSettings {
  const read = <T>(path: string, expected: string, as: (value: Json) => T | undefined): T | undefined => {
    const above = path.split(".").slice(0, -1).join(".");
    const parent = above === "" ? undefined : setting(above);
    if (parent !== undefined && !isObject(parent)) {
      notice(`settings ${above}: expected an object, found ${JSON.stringify(parent)}. ${path} is not read from it.`);
      return undefined;
    }
    const value = setting(path);
    const found = value === undefined ? undefined : as(value);
    if (value !== undefined && found === undefined)
      notice(`settings ${path}: expected ${expected}, found ${JSON.stringify(value)}. It is ignored.`);
    return found;
  };
  const names = (path: string | undefined) =>
    path === undefined ? undefined : read(path, "a list of names", (value) => (isNames(value) ? value : undefined));
  const allowed = names(settings.mcpAllowed);
  const excluded = names(settings.mcpExcluded) ?? [];
  return {
    mayConnect: (server) => (allowed?.includes(server) ?? true) && !excluded.includes(server),
    modelName: read(settings.modelName, "the name of a model", (value) => (typeof value === "string" ? value : undefined)),
    maxTurns: read(settings.maxTurns, "a whole number from 1, or -1 for no bound", (value) =>
      value === -1 ? Infinity : wholeFromOne(value),
    ),
    compressionThreshold: read(settings.compressionThreshold, "a number above 0 and at most 1", (value) =>
      typeof value === "number" && value > 0 && value <= 1 ? value : undefined,
    ),
    contextFileNames: read(settings.contextFileName, "the name of a file, or a list of names", namesIn),
  };
}

const wholeFromOne = (value: Json): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 ? value : undefined;

/** An empty list is nothing said. */
function namesIn(value: Json): readonly string[] | undefined {
  const names = Array.isArray(value) ? value : [value];
  return names.length > 0 && isNames(names) ? names : undefined;
}

const isNames = (value: Json): value is string[] => Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
