/** Turns the settings about the environment of hooks into one policy for a dialect. */
import { at, type Json, type Layer, type Problem, problem, shown } from "../protocol/index.ts";
import { expandStrings } from "./expand.ts";
import { PROJECT_SCOPES } from "./layers.ts";
import { placeOf } from "./places.ts";
import { scalarLayers, type View } from "./scalar.ts";

export interface Sanitising {
  /** Default true. */
  readonly enabled: boolean;
  /** Names of variables that are handed on, or kept back, whatever else is said of them. */
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

/**
 * Lists add up over the layers; of the switch the strongest layer's counts. A project's words count in a trusted folder only, else
 * SETTINGS_NOT_YOURS. A value of the wrong shape is ignored with SETTINGS_BAD_SHAPE. Source: contracts/gemini.md, "Configuration" and "Running".
 */
export function readSanitising(view: View): { readonly sanitising: Sanitising; readonly problems: readonly Problem[] } {
  const { dialect, layers, trusted, variables } = view;
  const keys = dialect.sanitising;
  const problems: Problem[] = [];
  const told = (layer: Layer, path: string, ok: (value: Json) => boolean, expected: string): Json | undefined => {
    const value = layer.settings === undefined ? undefined : at(layer.settings, path);
    if (value === undefined || ok(value)) return value;
    problems.push(problem("SETTINGS_BAD_SHAPE", placeOf(layer, path.split(".")), { expected, found: shown(value), now: "It is ignored." }));
    return undefined;
  };
  const counted = scalarLayers(view);
  const list = (path: string): readonly string[] => {
    const found = counted.flatMap((layer) => {
      const value = told(layer, path, isNames, "a list of names");
      const names =
        value === undefined || variables === undefined || !dialect.expands.settingsStrings ? value : expandStrings(value, variables);
      return Array.isArray(names) ? names.filter((name: Json) => typeof name === "string") : [];
    });
    return [...new Set(found)];
  };
  const switched = counted.map((layer) => told(layer, keys.enabled, (value) => typeof value === "boolean", "true or false"));
  const sanitising = {
    enabled: switched.find((value) => value !== undefined) !== false,
    allowed: list(keys.allowed),
    blocked: list(keys.blocked),
  };
  if (!trusted) {
    for (const layer of layers.filter(({ dialect: id, scope }) => id === dialect.id && PROJECT_SCOPES.has(scope))) {
      for (const key of [keys.enabled, keys.allowed, keys.blocked]) {
        if (layer.settings === undefined || at(layer.settings, key) === undefined) continue;
        problems.push(problem("SETTINGS_NOT_YOURS", placeOf(layer, key.split(".")), { key, why: "the folder is not trusted" }));
      }
    }
  }
  return { sanitising, problems };
}

const isNames = (value: Json): boolean => Array.isArray(value) && value.every((name: Json) => typeof name === "string");
