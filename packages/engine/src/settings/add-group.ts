/** Turns a new group of hooks into an edit of the settings file of a scope. */
import { type DialectId, type JsonObject, type Problem, problem, type Scope } from "../protocol/index.ts";
import { addElement } from "./edit-list.ts";
import { layerFiles } from "./layers.ts";
import { rewritten } from "./rewrite.ts";
import { scalarScopes } from "./scalar.ts";
import type { Snapshot } from "./snapshot.ts";

export interface NewGroup {
  readonly dialect: DialectId;
  /** The event, as the dialect calls it. */
  readonly wireName: string;
  readonly scope: Scope;
  /** As it is to be written: `matcher`, `hooks` and whatever else the dialect's groups have. */
  readonly group: JsonObject;
}
export type Added =
  | { readonly kind: "done"; readonly file: string }
  /** There is no settings file of this scope here: a project that is the user's home has none of its own. */
  | { readonly kind: "noScope"; readonly scope: Scope; readonly known: readonly Scope[] }
  /** The file could not be edited and was left as it is. */
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Puts the group behind the others of its event. Nothing else changes in the file, which is made where it is missing. What the group says is not checked. */
export function addGroup({ dialects, where }: Snapshot, { dialect: id, wireName, scope, group }: NewGroup): Added {
  const dialect = dialects.find((one) => one.id === id);
  const files = dialect === undefined ? [] : layerFiles([dialect], where).filter((file) => scalarScopes(dialect).includes(file.scope));
  const file = files.find((one) => one.scope === scope);
  if (file === undefined) return { kind: "noScope", scope, known: [...new Set(files.map((one) => one.scope))] };
  const message = rewritten(file.path, (text) => addElement(text, ["hooks", wireName], group));
  if (message !== "changed")
    return { kind: "refused", problems: [problem("SETTINGS_UNWRITABLE", { path: file.path }, { message: message ?? "nothing changed" })] };
  return { kind: "done", file: file.path };
}
