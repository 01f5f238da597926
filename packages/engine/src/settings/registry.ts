/** Turns layers into the Registry: every configured handler as a frozen entry in order, barred where it cannot run, and everything that is wrong. */
import { DIALECTS, type Dialect, type Whereabouts } from "../dialects/index.ts";
import type { Barred, Entry, Layer, Problem, Registry } from "../protocol/index.ts";
import { problem } from "../protocol/index.ts";
import { checkScripts } from "./check-scripts.ts";
import { keyOf } from "./definition.ts";
import { readGroups } from "./groups.ts";
import { readHandler, type Unplaced } from "./handler.ts";
import { PROJECT_SCOPES } from "./layers.ts";
import { placeOf } from "./places.ts";
import type { MentionWorld } from "./script-mentions.ts";
import { type Off, readSwitches, type Switches } from "./switches.ts";

export interface RegistryParts {
  readonly generation: number;
  /** In the order in which their hooks come. */
  readonly dialects: readonly Dialect[];
  readonly where: Whereabouts;
  /** Of every dialect, highest precedence first. */
  readonly layers: readonly Layer[];
  /** Is the project folder trusted? False: its entries are barred, and nothing else of it counts. */
  readonly trusted: boolean;
  /** The system file that forbids project hooks, if one does. */
  readonly projectHooksForbiddenBy?: string | undefined;
}

/**
 * Total: bad settings give problems and never an exception. Why an entry is barred, the first that holds: untrusted or forbidden, disabled, its own definition.
 * Entries are in the order of dialects, then layers, then the file. Source: contracts/gemini.md, "Configuration"; design, "One firing, stage by stage".
 */
export function buildRegistry(parts: RegistryParts): Registry {
  const { dialects, where, layers, generation } = parts;
  const problems: Problem[] = layers.flatMap((layer) => layer.problems);
  const entries: Entry[] = [];
  const lanes = new Map<string, number>();
  for (const dialect of dialects) {
    const variables = dialect.expands.settingsStrings ? where.env : undefined;
    const switches = readSwitches({ dialect, layers, trusted: parts.trusted, ...(variables === undefined ? {} : { variables }) });
    problems.push(...switches.problems);
    const found: Entry[] = [];
    for (const layer of layers.filter((candidate) => candidate.dialect === dialect.id)) {
      const groups = readGroups({
        dialect,
        known: [...dialects, ...DIALECTS],
        layer,
        variables: layer.extension === undefined ? variables : undefined,
      });
      problems.push(...groups.problems);
      const source = sourceOf(layer, layers);
      for (const draft of groups.drafts) {
        const read = readHandler(draft, { dialect, where, source });
        problems.push(...read.problems);
        const lane = lanes.get(draft.lane) ?? lanes.size;
        lanes.set(draft.lane, lane);
        const barred = policy(read.entry, layer, parts, switches) ?? read.entry.barred;
        found.push(placed(read.entry, { order: entries.length + found.length, lane, barred }, dialect));
      }
    }
    problems.push(...switchedOff(found, switches), ...powerless(found, switches));
    const world = worldOf(dialect, where);
    problems.push(...found.filter(({ barred }) => barred === undefined).flatMap((entry) => checkScripts(entry, world, where.platform)));
    entries.push(...found);
  }
  problems.push(...projectProblems(entries, parts));
  return Object.freeze({ generation, entries: Object.freeze(entries), problems: Object.freeze(problems) });
}

/** What is known of a hook's surroundings before it runs: where relative paths begin, and which variables hold the project directory. */
export function worldOf({ environment }: Dialect, { cwd, home }: Pick<Whereabouts, "cwd" | "home">): MentionWorld {
  const own = Object.entries(environment).flatMap(([name, holds]) => (holds === "projectDir" ? [[name, cwd] as const] : []));
  return { projectDir: cwd, home, variables: Object.fromEntries([...own, ["HOME", home], ["PWD", cwd]]) };
}

function policy(
  { scope, name }: Unplaced,
  { extension }: Layer,
  { trusted, projectHooksForbiddenBy }: RegistryParts,
  switches: Switches,
): Barred | undefined {
  if (PROJECT_SCOPES.has(scope)) {
    if (projectHooksForbiddenBy !== undefined) return { status: "untrusted", why: `${projectHooksForbiddenBy} forbids project hooks` };
    if (!trusted) return { status: "untrusted", why: "the folder is not trusted" };
  }
  if (extension?.offBy !== undefined) return { status: "disabled", why: `the extension ${extension.name} in ${extension.offBy}` };
  const off = switches.allOff(scope) ?? switches.named(scope, name);
  return off === undefined ? undefined : { status: "disabled", why: `${off.key} in ${off.layer.path}` };
}

/** HOOKS_OFF once for each switch that turns everything off, with how many hooks that concerns. */
function switchedOff(entries: readonly Entry[], switches: Switches): readonly Problem[] {
  const counts = new Map<string, { readonly off: Off; count: number }>();
  for (const { barred, scope } of entries) {
    const off = barred?.status === "disabled" ? switches.allOff(scope) : undefined;
    if (off === undefined) continue;
    const where = `${off.key} in ${off.layer.path}`;
    const known = counts.get(where) ?? { off, count: 0 };
    counts.set(where, { off, count: known.count + 1 });
  }
  return [...counts].map(([where, { off, count }]) => problem("HOOKS_OFF", placeOf(off.layer, off.key.split(".")), { count, where }));
}

/** SETTINGS_NOT_YOURS for each hook that a lower layer names in vain. */
function powerless(entries: readonly Entry[], switches: Switches): readonly Problem[] {
  return entries.flatMap(({ barred, scope, name }) => {
    const off = barred?.status === "disabled" ? undefined : switches.powerless(scope, name);
    if (off === undefined) return [];
    const why = "a hook of the administrator's is switched off in the administrator's own settings only";
    return [problem("SETTINGS_NOT_YOURS", placeOf(off.layer, off.key.split(".")), { key: off.key, why }, name)];
  });
}

function projectProblems(entries: readonly Entry[], { where, trusted, projectHooksForbiddenBy }: RegistryParts): readonly Problem[] {
  const count = entries.filter(({ scope }) => PROJECT_SCOPES.has(scope)).length;
  if (count === 0) return [];
  if (projectHooksForbiddenBy !== undefined)
    return [problem("PROJECT_HOOKS_FORBIDDEN", { path: projectHooksForbiddenBy }, { count, by: projectHooksForbiddenBy })];
  if (trusted) return [];
  const todo = "Read them, then trust the folder with `carabiner trust approve --folder`.";
  return [problem("FOLDER_UNTRUSTED", { path: where.cwd }, { folder: where.cwd, count, todo })];
}

/** The beginning of an id: dialect and scope, and what tells layers of one scope apart: the extension's name, else the path. */
function sourceOf(layer: Layer, layers: readonly Layer[]): string {
  const plain = `${layer.dialect}:${layer.scope}`;
  const name = layer.extension?.name;
  if (name !== undefined) return `${plain}(${name})`;
  return layers.some((other) => other !== layer && other.dialect === layer.dialect && other.scope === layer.scope)
    ? `${plain}(${layer.path})`
    : plain;
}

/** Few keys are ever looked at, and the first one costs the loading of `node:crypto`. */
function placed(found: Unplaced, place: Pick<Entry, "order" | "lane" | "barred">, { id }: Dialect): Entry {
  let key: string | undefined;
  const entry: Entry = {
    ...found,
    ...place,
    get key() {
      key ??= keyOf(id, found.written);
      return key;
    },
  };
  if (entry.run.kind !== "function") Object.freeze(entry.run.env);
  if (entry.barred !== undefined) Object.freeze(entry.barred);
  Object.freeze(entry.run);
  return Object.freeze(entry);
}
