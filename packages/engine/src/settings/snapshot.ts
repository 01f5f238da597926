/** Turns dialects and whereabouts into the settings as they are now: one snapshot, made anew only when a file has changed. */
import type { Dialect, Whereabouts } from "../dialects/index.ts";
import type { DialectId, Layer, Registry } from "../protocol/index.ts";
import { type CarabinerSettings, readCarabinerSettings } from "./carabiner-settings.ts";
import { findLayers, listedDirectories, type NamedFile, PROJECT_SCOPES, readLayers } from "./layers.ts";
import { findLookalikes, lookalikeFiles } from "./lookalikes.ts";
import { buildRegistry } from "./registry.ts";
import { readSanitising, type Sanitising } from "./sanitising.ts";
import { valueAt } from "./scalar.ts";
import { isSameStamp, type Stamp, stampOf } from "./stamps.ts";

/** What a decision about the folder may look at. What a project says of itself decides nothing: of its layers only their being there counts. */
export interface UntrustedView {
  readonly dialects: readonly Dialect[];
  readonly where: Whereabouts;
  /** Every layer but the project's own. */
  readonly layers: readonly Layer[];
  /** The project's layers that exist. */
  readonly projectLayers: readonly Layer[];
}
export interface FolderDecision {
  readonly trusted: boolean;
  /** What decided, for people. */
  readonly by: string;
}

export interface Snapshot {
  readonly dialects: readonly Dialect[];
  readonly where: Whereabouts;
  readonly registry: Registry;
  /** Of every dialect, highest precedence first; project layers are here in an untrusted folder, too. */
  readonly layers: readonly Layer[];
  readonly carabiner: CarabinerSettings;
  readonly sanitising: ReadonlyMap<DialectId, Sanitising>;
  readonly folder: FolderDecision;
  readonly trusted: boolean;
  /** Are running hooks shown? Default true; false where any dialect's settings say so. */
  readonly notifications: boolean;
}

export interface SettingsOptions {
  readonly dialects: readonly Dialect[];
  /** Its `cwd` is the project directory. */
  readonly where: Whereabouts;
  /** Files named for this session (`--settings FILE`). */
  readonly files?: readonly NamedFile[];
  /** Asked whenever a file has changed. Must not throw. Absent: the folder is trusted. */
  readonly folderTrusted?: (view: UntrustedView) => FolderDecision;
  /** Further files that `folderTrusted` looks at: a change there is a change. */
  readonly alsoWatch?: readonly string[];
}
export interface Settings {
  /**
   * The settings now. Looks at the files at most once per turn of the event loop, and gives the same object until something in them is different.
   * Synchronous; never throws for what is on disk.
   */
  current(): Snapshot;
  /** The next `current()` looks again, also for a decision about the folder that no file shows. */
  refresh(): void;
}

/** Reads nothing until `current()` is called. */
export function createSettings(options: SettingsOptions): Settings {
  const { dialects, where, files = [] } = options;
  let snapshot: Snapshot | undefined;
  let content = "";
  let stamps: readonly Stamp[] = [];
  let watched: readonly string[] = [];
  /** Some file could have changed again without its stamp showing it. */
  let unsure = true;
  let looked = false;

  const listed = listedDirectories(dialects, where);
  const lookalikes = lookalikeFiles(dialects, where);
  const stores = dialects.flatMap(({ folderTrust }) => (folderTrust.store === undefined ? [] : [folderTrust.store.file(where)]));

  const look = (): void => {
    if (snapshot !== undefined && !unsure && watched.every((path, i) => isSameStamp(stamps[i], stampOf(path)))) return;
    const { files: candidates, extensions } = findLayers(dialects, where, files);
    // Also the project files that are left out because they are the user's now: they may become their own.
    const projectFiles = dialects.flatMap(({ layers }) =>
      layers.filter(({ scope }) => PROJECT_SCOPES.has(scope)).map(({ file }) => file(where)),
    );
    watched = [
      ...new Set([
        ...candidates.map(({ path }) => path),
        ...extensions.files,
        ...projectFiles,
        ...listed,
        ...lookalikes,
        ...stores,
        ...(options.alsoWatch ?? []),
      ]),
    ];
    // Before the files are read: what changes while they are is seen next time.
    stamps = watched.map(stampOf);
    unsure = stamps.some(({ fresh }) => fresh);
    const layers = readLayers(candidates);
    if (extensions.momentary || layers.some(({ momentary }) => momentary)) {
      // A host that has used up its descriptors must not lose its hooks for it, and not for good: what was read before counts, and the next look reads again.
      unsure = true;
      if (snapshot !== undefined) return;
    }
    const problems = [...findLookalikes(dialects, where, candidates), ...extensions.problems];
    const isProject = ({ scope }: Layer): boolean => PROJECT_SCOPES.has(scope);
    const view = {
      dialects,
      where,
      layers: layers.filter((layer) => !isProject(layer)),
      projectLayers: layers.filter((layer) => isProject(layer) && layer.found),
    };
    const folder = options.folderTrusted?.(view) ?? { trusted: true, by: "nobody was asked" };
    const found = JSON.stringify([
      folder,
      problems,
      layers.map(({ dialect, scope, path, found: exists, text, problems: own, extension }) => [
        dialect,
        scope,
        path,
        exists,
        text,
        own,
        extension?.offBy,
      ]),
    ]);
    if (snapshot !== undefined && found === content) return;
    content = found;
    snapshot = made(snapshot?.registry.generation ?? 0, layers, folder);
    if (problems.length > 0)
      snapshot = { ...snapshot, registry: { ...snapshot.registry, problems: [...problems, ...snapshot.registry.problems] } };
  };

  const made = (before: number, layers: readonly Layer[], folder: FolderDecision): Snapshot => {
    const { trusted } = folder;
    const own = readCarabinerSettings(layers, where, trusted);
    const policies = dialects.map((dialect) => ({ dialect, ...readSanitising({ dialect, layers, trusted, variables: where.env }) }));
    const registry = buildRegistry({
      generation: before + 1,
      dialects,
      where,
      layers,
      trusted,
      projectHooksForbiddenBy: own.projectHooksForbiddenBy,
    });
    const problems = [...registry.problems, ...own.problems, ...policies.flatMap((policy) => policy.problems)];
    return {
      dialects,
      where,
      registry: { ...registry, problems },
      layers,
      carabiner: own.settings,
      sanitising: new Map(policies.map(({ dialect, sanitising }) => [dialect.id, sanitising])),
      folder,
      trusted,
      notifications: dialects.every((dialect) => valueAt({ dialect, layers, trusted }, dialect.switches.notifications)?.value !== false),
    };
  };

  return {
    current() {
      if (!looked || snapshot === undefined) {
        look();
        looked = true;
        setImmediate(() => {
          looked = false;
        }).unref();
      }
      if (snapshot === undefined) throw new Error("settings were looked at and there is no snapshot");
      return snapshot;
    },
    refresh() {
      looked = false;
      unsure = true;
    },
  };
}
