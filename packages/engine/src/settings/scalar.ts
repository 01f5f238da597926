/** Turns layers into the one value that counts for a single setting, and says which layer it is from. */
import type { Dialect, Path } from "../dialects/index.ts";
import { at, type Json, type Layer, type Scope } from "../protocol/index.ts";
import { expandStrings, type Variables } from "./expand.ts";
import { PROJECT_SCOPES } from "./layers.ts";

/** What single values are read from. */
export interface View {
  readonly dialect: Dialect;
  /** The layers of all dialects of the session; those of others are passed over. */
  readonly layers: readonly Layer[];
  /** False: nothing of a project counts. */
  readonly trusted: boolean;
  /** What strings may name; absent: strings stay as written. */
  readonly variables?: Variables;
}

/** The scopes whose single values count, the strongest first: the dialect's order, with files named by the user just below the system. */
export function scalarScopes({ scalarOrder }: Dialect): readonly Scope[] {
  const first = scalarOrder.indexOf("system") + 1;
  return [...scalarOrder.slice(0, first), "flag", ...scalarOrder.slice(first)];
}

/** The dialect's layers whose single values count, the strongest first. Extensions have none. Source: contracts/gemini.md, "Configuration". */
export function scalarLayers({ dialect, layers, trusted }: View): readonly Layer[] {
  return scalarScopes(dialect).flatMap((scope) =>
    layers.filter((layer) => layer.dialect === dialect.id && layer.scope === scope && (trusted || !PROJECT_SCOPES.has(scope))),
  );
}

/** The value at a dotted path in the strongest layer that has one, and that layer; strings are expanded as the dialect does. */
export function valueAt(view: View, path: Path): { readonly value: Json; readonly layer: Layer } | undefined {
  for (const layer of scalarLayers(view)) {
    const value = layer.settings === undefined ? undefined : at(layer.settings, path);
    if (value === undefined) continue;
    return { value: view.variables && view.dialect.expands.settingsStrings ? expandStrings(value, view.variables) : value, layer };
  }
  return undefined;
}
