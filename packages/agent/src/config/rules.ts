/** Turns every layer of settings into the permission rules of the session. */
import type { Engine } from "@carabiner/engine";
import { type Rule, type RuleFile, type RuleProblem, readOnlyThese, readRules } from "../permissions/index.ts";
import { PROFILES } from "../profiles/index.ts";

export interface SessionRules {
  readonly rules: readonly Rule[];
  /** No other tool of our own may be used; `undefined`: all may. */
  readonly only: readonly Rule[] | undefined;
  readonly problems: readonly RuleProblem[];
}

/**
 * A project's rules count in a trusted folder only. Each file is read with the words of its own product. Lists of rules add up; of lists beside which
 * no other tool may be used the strongest layer's counts. Source: the Gemini contract, "Configuration".
 */
export function rulesOf(engine: Engine): SessionRules {
  const { layers, trusted, dialects } = engine.snapshot();
  const found = layers.flatMap((layer) => {
    const { scope, settings, path } = layer;
    const profile = PROFILES.find(({ dialect }) => dialect === layer.dialect);
    const dialect = dialects.find(({ id }) => id === layer.dialect);
    if (!profile || !dialect || !settings || scope === "code" || scope === "extension") return [];
    if (!trusted && (scope === "project" || scope === "local")) return [];
    const from: RuleFile = {
      file: path,
      scope: scope === "systemDefaults" ? "system" : scope,
      syntax: profile.rules,
      words: dialect.tools,
    };
    const read = readRules(settings, from);
    const only = readOnlyThese(settings, from);
    // Files named on the command line stand just below the administrator's.
    const order = ["system", "flag", ...dialect.scalarOrder.filter((one) => one !== "system")];
    return [{ rules: read.rules, problems: [...read.problems, ...only.problems], only: only.rules, rank: order.indexOf(scope) }];
  });
  const confining = found.filter(({ only }) => only !== undefined).toSorted((a, b) => a.rank - b.rank);
  return { rules: found.flatMap(({ rules }) => rules), only: confining[0]?.only, problems: found.flatMap(({ problems }) => problems) };
}
