/** Finds what one product calls the tool that another product has a name for. */
import { DIALECTS, type Dialect } from "@carabiner/engine";

/** Whose word it is, and this dialect's word for the same; `undefined` for a word that nobody has, and for a tool that this dialect lacks. */
export function counterpartOf(word: string, dialect: Dialect): { readonly owner: Dialect; readonly name: string } | undefined {
  for (const owner of DIALECTS) {
    const kind = owner.tools.tools.find(({ name, aliases }) => name === word || aliases?.includes(word))?.kind;
    const name = kind === undefined ? undefined : dialect.tools.tools.find((tool) => tool.kind === kind)?.name;
    if (name !== undefined) return { owner, name };
  }
  return undefined;
}
