/** Tells where hooks were looked for: each settings file, and whether it is there. */
import { isObject, type Layer } from "@carabiner/engine";
import { wrapped } from "./fit.ts";
import { shortPath } from "./origin.ts";

/** Only where no hook was found: what stands under the key and is none cannot be used. Ends with a line end. */
export function layersView(
  layers: readonly Layer[],
  around: { readonly projectDir: string; readonly home: string; readonly columns: number },
): string {
  const lines = layers.map((layer) => `${shortPath(layer.path, around)}: ${stateOf(layer)}`);
  return `${["Hooks were looked for in:", ...lines.flatMap((line) => wrapped(line, around.columns - 2).map((one) => `  ${one}`))].join("\n")}\n`;
}

function stateOf({ found, settings }: Layer): string {
  if (!found) return "there is no such file";
  if (!settings) return "cannot be used";
  const { hooks } = settings;
  const isEmpty = hooks === undefined || (isObject(hooks) && Object.keys(hooks).length === 0);
  return isEmpty ? "has no hooks" : "has no hook that can be used";
}
