/** Turns the switches of all layers into who is switched off, and by what. */
import type { Dialect } from "../dialects/index.ts";
import { at, type Json, type JsonObject, type Layer, type Problem, problem, type Scope, shown } from "../protocol/index.ts";
import { expandText } from "./expand.ts";
import { PROJECT_SCOPES } from "./layers.ts";
import { placeOf } from "./places.ts";
import { scalarLayers, type View } from "./scalar.ts";

/** A switch that is on: which setting, in which file. */
export interface Off {
  readonly key: string;
  readonly layer: Layer;
}
export interface Switches {
  /** The switch that turns off every hook of a scope. */
  allOff(scope: Scope): Off | undefined;
  /** The list that switches off a hook of this identifier and scope. */
  named(scope: Scope, identifier: string): Off | undefined;
  /** A list that names it and does not count for it. */
  powerless(scope: Scope, identifier: string): Off | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Lists add up over the layers; of single switches the strongest layer's counts. A project layer switches nothing off in an untrusted folder, and never a
 * hook of the administrator's; a system hook is switched off in the system file only. Old places count, with SETTINGS_LEGACY. A value of the wrong shape
 * is passed over. Source: contracts/gemini.md, "Configuration"; design, "Trust".
 */
export function readSwitches(view: View): Switches {
  const { dialect, layers, trusted } = view;
  const { switches } = dialect;
  const counted = scalarLayers(view);
  const own = layers.filter((layer) => layer.dialect === dialect.id && layer.settings !== undefined);
  const problems = own.flatMap((layer) => {
    if (counted.includes(layer)) return checked(layer, switches);
    return PROJECT_SCOPES.has(layer.scope) && !trusted ? notCounted(layer, switches) : [];
  });
  const lists = counted.flatMap((layer) =>
    nameLists(switches).flatMap((key) => {
      const names = new Set(namesAt(layer, key).flatMap((name) => meantBy(name, view)));
      return names.size === 0 ? [] : [{ layer, key, names }];
    }),
  );
  const find = (identifier: string, among: (layer: Layer) => boolean): Off | undefined => {
    const list = lists.find(({ layer, names }) => names.has(identifier) && among(layer));
    return list && { key: list.key, layer: list.layer };
  };
  const allOff = once((scope: Scope): Off | undefined => {
    const among = counted.filter((layer) => rules(layer.scope, scope));
    for (const { at: path, is } of switches.allOff) {
      const found = firstSwitch(among, path, switches);
      if (found !== undefined && found.value === is) return { key: found.key, layer: found.layer };
    }
    return undefined;
  });
  return {
    problems,
    allOff,
    named: (scope, identifier) => find(identifier, (layer) => rules(layer.scope, scope)),
    powerless: (scope, identifier) => find(identifier, (layer) => !rules(layer.scope, scope)),
  };
}

/** Every hook asks, and there are few scopes. */
function once<T>(answer: (scope: Scope) => T): (scope: Scope) => T {
  const known = new Map<Scope, T>();
  return (scope) => {
    if (!known.has(scope)) known.set(scope, answer(scope));
    return known.get(scope) as T;
  };
}

/** Do switches of a layer of scope `layer` count for hooks of scope `hook`? */
function rules(layer: Scope, hook: Scope): boolean {
  if (hook === "system") return layer === "system";
  return hook !== "systemDefaults" || !PROJECT_SCOPES.has(layer);
}

/** The identifiers that a name in a list means. Commands are identifiers as written, so that both the name as written and as expanded count. */
export function meantBy(name: string, { dialect, variables }: Pick<View, "dialect" | "variables">): readonly string[] {
  return variables !== undefined && dialect.expands.settingsStrings ? [name, expandText(name, variables)] : [name];
}

/** Where lists of names may stand: the place they are written to, then old ones. */
export const nameLists = ({ names, legacy }: Dialect["switches"]): readonly string[] => [
  names,
  ...legacy.flatMap((old) => (old.means === "names" ? [old.at] : [])),
];

/** The names of a list, whatever else is in it. */
export function namesAt({ settings }: Layer, path: string): readonly string[] {
  const list = settings === undefined ? undefined : at(settings, path);
  return Array.isArray(list) ? list.filter((name: Json) => typeof name === "string") : [];
}

function firstSwitch(among: readonly Layer[], path: string, { legacy }: Dialect["switches"]) {
  const keys = [path, ...legacy.filter(({ means, instead }) => means === "allOff" && instead === path).map(({ at: old }) => old)];
  for (const layer of among) {
    for (const key of keys) {
      const value = layer.settings === undefined ? undefined : at(layer.settings, key);
      if (typeof value === "boolean") return { key, value, layer };
    }
  }
  return undefined;
}

const isNames = (value: Json): boolean => Array.isArray(value) && value.every((name: Json) => typeof name === "string");
const isSwitch = (value: Json): boolean => typeof value === "boolean";

function switchKeys({ allOff, names, legacy, notifications }: Dialect["switches"]) {
  return [
    ...[...allOff.map(({ at: path }) => path), notifications].map((path) => ({
      path,
      ok: isSwitch,
      expected: "true or false",
      instead: undefined,
    })),
    { path: names, ok: isNames, expected: "a list of names", instead: undefined },
    ...legacy.map(({ at: path, means, instead }) =>
      means === "names"
        ? { path, ok: isNames, expected: "a list of names", instead }
        : { path, ok: isSwitch, expected: "true or false", instead },
    ),
  ];
}

const found = (layer: Layer, path: string): Json | undefined => at(layer.settings ?? NOTHING, path);
const NOTHING: JsonObject = {};

function checked(layer: Layer, switches: Dialect["switches"]): readonly Problem[] {
  return switchKeys(switches).flatMap(({ path, ok, expected, instead }) => {
    const value = found(layer, path);
    if (value === undefined) return [];
    const place = placeOf(layer, path.split("."));
    if (!ok(value)) {
      const now = Array.isArray(value) ? "Only the names in it count." : "It is ignored.";
      return [problem("SETTINGS_BAD_SHAPE", place, { expected, found: shown(value), now })];
    }
    return instead === undefined ? [] : [problem("SETTINGS_LEGACY", place, { key: path, instead })];
  });
}

function notCounted(layer: Layer, switches: Dialect["switches"]): readonly Problem[] {
  return switchKeys(switches).flatMap(({ path }) =>
    path === switches.notifications || found(layer, path) === undefined
      ? []
      : [problem("SETTINGS_NOT_YOURS", placeOf(layer, path.split(".")), { key: path, why: "the folder is not trusted" })],
  );
}
