/** Says which dialects somebody here means: those with a settings file, and those with hooks in a file that is mistaken for one. */
import { existsSync } from "node:fs";
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import { layerFiles } from "./layers.ts";
import { findLookalikes } from "./lookalikes.ts";

/** In the order of `dialects`. The administrator's files alone mean nobody's product: they may be on every machine. */
export const presentDialects = (dialects: readonly Dialect[], where: Whereabouts): readonly Dialect[] =>
  dialects.filter((dialect) => isConfigured(dialect, where) || isMistaken(dialect, where));

const isConfigured = ({ layers }: Dialect, where: Whereabouts): boolean =>
  layers.some(({ file, scope }) => scope !== "system" && scope !== "systemDefaults" && existsSync(file(where).replace(/\/\*.*$/, "")));

const isMistaken = (dialect: Dialect, where: Whereabouts): boolean =>
  dialect.lookalikes.some(({ file }) => existsSync(file(where))) &&
  findLookalikes([dialect], where, layerFiles([dialect], where)).length > 0;
