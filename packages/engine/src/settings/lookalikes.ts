/** Turns files that people mistake for settings into problems, where hooks stand in them. */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import { at, isObject, type Json, type Problem, problem } from "../protocol/index.ts";
import { type LayerFile, readSettings } from "./read-settings.ts";
import { realPath } from "./real-path.ts";

/** The files that are looked at, whether they exist or not. */
export const lookalikeFiles = (dialects: readonly Dialect[], where: Whereabouts): readonly string[] =>
  dialects.flatMap(({ lookalikes }) => lookalikes.map(({ file }) => file(where)));

/** SETTINGS_LOOKALIKE for each such file with hooks, once a file, and never for one that is a layer. What else is wrong in it is nobody's business. */
export function findLookalikes(dialects: readonly Dialect[], where: Whereabouts, layers: readonly LayerFile[]): readonly Problem[] {
  const seen = new Set(layers.map(({ path }) => realPath(path)));
  return dialects.flatMap((dialect) =>
    dialect.lookalikes.flatMap(({ file, says }) => {
      const path = file(where);
      const real = realPath(path);
      if (seen.has(real)) return [];
      seen.add(real);
      const { settings } = readSettings({ dialect: dialect.id, scope: "project", path });
      if (settings === undefined) return [];
      const count = handlersIn(at(settings, "hooks") ?? settings, dialect);
      return count === 0 ? [] : [problem("SETTINGS_LOOKALIKE", { path }, { says, count })];
    }),
  );
}

function handlersIn(hooks: Json, dialect: Dialect): number {
  if (!isObject(hooks)) return 0;
  const groups = Object.entries(hooks).flatMap(([event, value]) =>
    Object.hasOwn(dialect.rows, event) && Array.isArray(value) ? value : [],
  );
  return groups.reduce<number>((sum, group) => {
    const handlers: unknown = isObject(group) ? group["hooks"] : undefined;
    return sum + (Array.isArray(handlers) ? handlers.length : 0);
  }, 0);
}
