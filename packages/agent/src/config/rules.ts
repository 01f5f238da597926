/** Turns every layer of settings into the permission rules of the session. */
import type { Engine } from "@carabiner/engine";
import { type Rule, type RuleProblem, readRules } from "../permissions/index.ts";
import { PROFILES } from "../profiles/index.ts";

export interface SessionRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/** A project's rules count in a trusted folder only. Each file is read with the words of its own product. */
export function rulesOf(engine: Engine): SessionRules {
  const { layers, trusted, dialects } = engine.snapshot();
  const found = layers.flatMap((layer) => {
    const { scope, settings, path } = layer;
    const profile = PROFILES.find(({ dialect }) => dialect === layer.dialect);
    const words = dialects.find(({ id }) => id === layer.dialect)?.tools;
    if (!profile || !words || !settings || scope === "code" || scope === "extension") return [];
    if (!trusted && (scope === "project" || scope === "local")) return [];
    return [readRules(settings, { file: path, scope: scope === "systemDefaults" ? "system" : scope, syntax: profile.rules, words })];
  });
  return { rules: found.flatMap(({ rules }) => rules), problems: found.flatMap(({ problems }) => problems) };
}
