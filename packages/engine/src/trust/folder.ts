/** Turns everything that may decide about a folder into one answer: trusted, not trusted, or nobody decided. */
import { existsSync } from "node:fs";
import { at, isObject } from "../protocol/index.ts";
import { PROJECT_SCOPES, readJsonValue, readText, realPath, type UntrustedView } from "../settings/index.ts";
import type { TrustStore } from "./store.ts";

export interface FolderTrust {
  /** `undefined`: nobody decided, and there is something to decide. */
  readonly trusted: boolean | undefined;
  /** What decided, for people. */
  readonly by: string;
}
export interface FolderQuestion {
  /** The host's own word, which counts before everything else. */
  readonly host?: boolean | undefined;
  readonly view: UntrustedView;
  readonly store: Pick<TrustStore, "folder" | "path">;
  /** Further files of the folder that make a decision necessary (context files, `.env`). */
  readonly projectFiles?: readonly string[];
}

/**
 * The first that decides: the host; the dialect's environment variable (`true` or `false`); its switch that turns folder trust off, in a file of the user's
 * or the administrator's; the product's store; our store. A folder without project settings or `projectFiles` needs no decision. Paths are
 * compared with links followed; where the product's store says different things of the path as given and as followed, "not trusted" counts.
 * Source: contracts/gemini.md, "Trust and management"; the study of Gemini CLI, 6.1.
 */
export function folderTrust({ host, view, store, projectFiles = [] }: FolderQuestion): FolderTrust {
  if (host !== undefined) return { trusted: host, by: "the host" };
  const { cwd } = view.where;
  const said =
    firstOf(view, byVariable) ??
    firstOf(view, bySwitch) ??
    firstOf(view, byProduct) ??
    (() => {
      const trusted = store.folder(cwd);
      return trusted === undefined ? undefined : { trusted, by: store.path };
    })();
  if (said !== undefined) return said;
  if (view.projectLayers.length === 0 && !projectFiles.some((path) => existsSync(path)))
    return { trusted: true, by: "nothing in the folder needs trust" };
  return { trusted: undefined, by: "nobody" };
}

type Dialect = UntrustedView["dialects"][number];
type Ask = (dialect: Dialect, view: UntrustedView) => FolderTrust | undefined;

function firstOf(view: UntrustedView, ask: Ask): FolderTrust | undefined {
  for (const dialect of view.dialects) {
    const said = ask(dialect, view);
    if (said !== undefined) return said;
  }
  return undefined;
}

const byVariable: Ask = ({ folderTrust: { variable } }, { where }) => {
  const value = variable === undefined ? undefined : where.env[variable];
  return value === "true" || value === "false" ? { trusted: value === "true", by: `${variable}=${value}` } : undefined;
};

const bySwitch: Ask = (dialect, { layers }) => {
  const { off } = dialect.folderTrust;
  if (off === undefined) return undefined;
  // In the order of single values: what the administrator says counts before what the user says.
  for (const scope of dialect.scalarOrder.filter((own) => !PROJECT_SCOPES.has(own))) {
    for (const layer of layers.filter((own) => own.dialect === dialect.id && own.scope === scope)) {
      const value = layer.settings === undefined ? undefined : at(layer.settings, off.at);
      if (typeof value !== "boolean") continue;
      return value === off.is ? { trusted: true, by: `${off.at} in ${layer.path}` } : undefined;
    }
  }
  return undefined;
};

const byProduct: Ask = ({ folderTrust: { store } }, { where }) => {
  if (store === undefined) return undefined;
  const path = store.file(where);
  const text = readText(path);
  const json = text.kind === "text" ? readJsonValue(text.text) : undefined;
  if (!json?.ok) return undefined;
  // Its paths may be written with links in them or without.
  const followed = isObject(json.value)
    ? Object.fromEntries(Object.entries(json.value).map(([key, value]) => [realPath(key), value]))
    : json.value;
  const real = realPath(where.cwd);
  const answers = [store.read(json.value, where.cwd), store.read(json.value, real), store.read(followed, real)].filter(
    (answer) => answer !== undefined,
  );
  return answers.length === 0 ? undefined : { trusted: answers.every((answer) => answer), by: path };
};
