/** Turns every layer of settings into the MCP servers of the session: each server as the strongest layer that names it has it. */
import { type Engine, isObject, type Json, type JsonObject, type Layer } from "@carabiner/engine";
import { type Rule, trustRules } from "../permissions/index.ts";

export interface SessionServers {
  /** By name, strings expanded. What is not an object stays, for the problem it is. */
  readonly servers: Json | undefined;
  /** Rules for the servers whose `trust` counts. */
  readonly rules: readonly Rule[];
}

/** A project cannot say of its own server, nor of one that it redefines, that it is trusted. */
export function mcpServersOf(engine: Engine, path: string, mayConnect: (server: string) => boolean): SessionServers {
  const { trusted, layers } = engine.snapshot();
  const counting = layers.filter((layer) => layer.scope !== "extension" && (trusted || !isProjects(layer)));
  const whole = engine.setting(path);
  if (whole !== undefined && !isObject(whole)) return { servers: whole, rules: [] };
  const servers: Record<string, Json> = Object.create(null);
  for (const name of new Set(counting.flatMap((layer) => Object.keys(serversIn(layer, path))))) {
    if (!mayConnect(name)) continue;
    // A dot in a name is no step of a path: such a server counts in the strongest layer that has servers at all.
    const found = name.includes(".") ? whole?.[name] : engine.setting(`${path}.${name}`);
    if (found !== undefined) servers[name] = found;
  }
  const redefined = new Set(counting.filter(isProjects).flatMap((layer) => Object.keys(serversIn(layer, path))));
  const rules = counting
    .filter((layer) => !isProjects(layer))
    .flatMap((layer) => {
      const { scope } = layer;
      if (scope === "code") return [];
      const own = Object.fromEntries(Object.entries(serversIn(layer, path)).filter(([name]) => !redefined.has(name)));
      return trustRules({ mcpServers: own }, { file: layer.path, scope: scope === "systemDefaults" ? "system" : scope });
    });
  return { servers: Object.keys(servers).length === 0 ? undefined : servers, rules };
}

const isProjects = ({ scope }: Layer): boolean => scope === "project" || scope === "local";
function serversIn({ settings }: Layer, path: string): JsonObject {
  const found = settings && Object.hasOwn(settings, path) ? settings[path] : undefined;
  return isObject(found) ? found : {};
}
