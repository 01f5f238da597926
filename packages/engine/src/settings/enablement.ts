/** Turns "switch this hook on or off" into an edit of the settings file that says so. */
import type { Dialect } from "../dialects/index.ts";
import { type Entry, type Layer, type Problem, problem, type Scope } from "../protocol/index.ts";
import { addToList, type Edited, removeFromList } from "./edit-list.ts";
import { layerFiles, PROJECT_SCOPES, readLayers } from "./layers.ts";
import { rewritten } from "./rewrite.ts";
import { scalarScopes } from "./scalar.ts";
import type { Snapshot } from "./snapshot.ts";
import { meantBy, nameLists, namesAt, readSwitches } from "./switches.ts";

export interface ChangedFile {
  readonly file: string;
  readonly scope: Scope;
}
export type Enablement =
  | {
      readonly kind: "done";
      readonly changed: readonly ChangedFile[];
      /** Nothing had to be changed. */
      readonly already: boolean;
      /** What still switches the hooks off: the setting and its file. Empty after switching off. */
      readonly stillDisabledBy: readonly (ChangedFile & { readonly key: string })[];
      /** Ids of hooks that run on all the same: the administrator's. Empty after switching on. */
      readonly stillEnabled: readonly string[];
    }
  /** No hook has this name, and no list that could be changed holds it. */
  | { readonly kind: "unknown"; readonly name: string; readonly known: readonly string[] }
  /** There is no settings file of this scope here. */
  | { readonly kind: "noScope"; readonly scope: Scope; readonly known: readonly Scope[] }
  /** A file could not be edited and was left as it is; others may have been changed. */
  | { readonly kind: "refused"; readonly problems: readonly Problem[]; readonly changed: readonly ChangedFile[] };

interface Target {
  readonly dialect: Dialect;
  readonly layer: Layer;
}

/** Files that "switch it on" may change when nobody names one. */
const WRITABLE: ReadonlySet<Scope> = new Set<Scope>(["project", "local", "user"]);

/**
 * Switches every hook of this identifier. Off: the name joins the list in the file that configures the hook, where that is the project's (of a trusted
 * folder) or the user's, else in the user's. On: the name leaves every list of project and user. `scope` names another file instead.
 * Nothing but the list changes in a file. Source: contracts/gemini.md, "Trust and management".
 */
export function setEnabled(snapshot: Snapshot, name: string, on: boolean, options: { readonly scope?: Scope } = {}): Enablement {
  const now = reread(snapshot);
  const entries = now.registry.entries.filter((entry) => entry.name === name && entry.dialect !== undefined);
  if (on) return switchOn(now, entries, options.scope, { name });
  return entries.length === 0 ? unknown(now, name) : switchOff(now, entries, options.scope);
}

/** The same for every hook there is; switching all on empties the lists. */
export function setAllEnabled(snapshot: Snapshot, on: boolean, options: { readonly scope?: Scope } = {}): Enablement {
  const now = reread(snapshot);
  const entries = now.registry.entries.filter((entry) => entry.dialect !== undefined);
  return on ? switchOn(now, entries, options.scope, "all") : switchOff(now, entries, options.scope);
}

function switchOff(snapshot: Snapshot, entries: readonly Entry[], scope: Scope | undefined): Enablement {
  const byFile = new Map<Layer, { readonly target: Target; readonly names: string[] }>();
  const isOff = offIn(snapshot);
  for (const entry of entries) {
    if (isOff(entry).some(({ named }) => named)) continue;
    const target = targetFor(snapshot, entry, scope);
    if (target === undefined) return { kind: "noScope", scope: scope ?? "user", known: scopesOf(snapshot) };
    const found = byFile.get(target.layer) ?? { target, names: [] };
    found.names.push(entry.name);
    byFile.set(target.layer, found);
  }
  // Of one name in several files the highest is enough: lists count for every layer below.
  const settled = new Set<string>();
  const edits = [...byFile.values()].flatMap(({ target, names }) => {
    const mine = names.filter((name) => !settled.has(`${target.dialect.id}\0${name}`));
    for (const name of mine) settled.add(`${target.dialect.id}\0${name}`);
    const path = target.dialect.switches.names.split(".");
    return mine.length === 0 ? [] : [{ target, change: (text: string) => addToList(text, path, mine) }];
  });
  return applied(edits, (changed) => {
    const now = offIn(reread(snapshot));
    const stillEnabled = entries.filter((entry) => now(entry).length === 0).map(({ id }) => id);
    return { kind: "done", changed, already: changed.length === 0 && stillEnabled.length === 0, stillDisabledBy: [], stillEnabled };
  });
}

function switchOn(
  snapshot: Snapshot,
  entries: readonly Entry[],
  scope: Scope | undefined,
  which: { readonly name: string } | "all",
): Enablement {
  const variables = snapshot.where.env;
  const targets = snapshot.dialects.flatMap((dialect) =>
    snapshot.layers
      .filter(
        (layer) =>
          layer.dialect === dialect.id &&
          (scope === undefined ? WRITABLE.has(layer.scope) : layer.scope === scope && scalarScopes(dialect).includes(scope)),
      )
      .map((layer): Target => ({ dialect, layer })),
  );
  if (scope !== undefined && targets.length === 0) return { kind: "noScope", scope, known: scopesOf(snapshot) };
  const gone =
    (dialect: Dialect) =>
    (listed: string): boolean =>
      which === "all" || meantBy(listed, { dialect, variables }).includes(which.name);
  const edits = targets.flatMap(({ dialect, layer }) =>
    nameLists(dialect.switches)
      .filter((list) => namesAt(layer, list).some(gone(dialect)))
      .map((list) => ({ target: { dialect, layer }, change: (text: string) => removeFromList(text, list.split("."), gone(dialect)) })),
  );
  if (which !== "all" && entries.length === 0 && edits.length === 0) return unknown(snapshot, which.name);
  return applied(edits, (changed) => {
    const now = offIn(reread(snapshot));
    const still = new Map(
      entries.flatMap((entry) => now(entry)).map(({ key, file, scope: where }) => [`${file}\0${key}`, { file, scope: where, key }]),
    );
    return {
      kind: "done",
      changed,
      already: changed.length === 0 && still.size === 0,
      stillDisabledBy: [...still.values()],
      stillEnabled: [],
    };
  });
}

function unknown({ registry }: Snapshot, name: string): Enablement {
  return {
    kind: "unknown",
    name,
    known: [...new Set(registry.entries.filter((entry) => entry.dialect !== undefined).map((entry) => entry.name))],
  };
}

/** The file whose list switches this entry off. */
function targetFor({ dialects, layers, trusted }: Snapshot, entry: Entry, scope: Scope | undefined): Target | undefined {
  const dialect = dialects.find(({ id }) => id === entry.dialect);
  if (dialect === undefined) return undefined;
  const files = layers.filter((layer) => layer.dialect === dialect.id && scalarScopes(dialect).includes(layer.scope));
  const home = files.find(
    ({ path, scope: own }) => path === entry.place?.file && WRITABLE.has(own) && (trusted || !PROJECT_SCOPES.has(own)),
  );
  const layer = scope === undefined ? (home ?? files.find((file) => file.scope === "user")) : files.find((file) => file.scope === scope);
  return layer === undefined ? undefined : { dialect, layer };
}

const scopesOf = ({ dialects, layers }: Snapshot): readonly Scope[] => [
  ...new Set(
    dialects.flatMap((dialect) =>
      layers.filter(({ dialect: id, scope }) => id === dialect.id && scalarScopes(dialect).includes(scope)).map(({ scope }) => scope),
    ),
  ),
];

/** The snapshot with its layers as they are on disk now. */
function reread(snapshot: Snapshot): Snapshot {
  const { dialects, where, layers } = snapshot;
  const flags = layers.filter(({ scope }) => scope === "flag").map(({ dialect, path }) => ({ dialect, path }));
  return { ...snapshot, layers: readLayers(layerFiles(dialects, where, flags)) };
}

/** What switches an entry off. */
function offIn({ dialects, layers, trusted, where }: Snapshot) {
  const switches = new Map(dialects.map((dialect) => [dialect.id, readSwitches({ dialect, layers, trusted, variables: where.env })]));
  return ({ dialect, scope, name, place }: Entry): readonly (ChangedFile & { readonly key: string; readonly named: boolean })[] => {
    const own = dialect === undefined ? undefined : switches.get(dialect);
    const extension = layers.find((layer) => layer.extension !== undefined && layer.path === place?.file)?.extension;
    const whole = extension?.offBy === undefined ? [] : [{ file: extension.offBy, scope, key: extension.name, named: false }];
    const listed = [
      { off: own?.allOff(scope), named: false },
      { off: own?.named(scope, name), named: true },
    ].flatMap(({ off, named }) => (off === undefined ? [] : [{ file: off.layer.path, scope: off.layer.scope, key: off.key, named }]));
    return [...whole, ...listed];
  };
}

type Edit = { readonly target: Target; readonly change: (text: string) => Edited };

/** Reads each file again just before it is written, so that what somebody else wrote meanwhile stays. */
function applied(edits: readonly Edit[], done: (changed: readonly ChangedFile[]) => Enablement): Enablement {
  const changed: ChangedFile[] = [];
  const problems: Problem[] = [];
  for (const { target, change } of edits) {
    const { path, scope } = target.layer;
    const message = rewritten(path, change);
    if (message === "changed") {
      if (!changed.some(({ file }) => file === path)) changed.push({ file: path, scope });
    } else if (message !== undefined) problems.push(problem("SETTINGS_UNWRITABLE", { path }, { message }));
  }
  return problems.length > 0 ? { kind: "refused", problems, changed } : done(changed);
}
