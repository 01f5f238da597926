/** Turns a hook's name into a file's, and an event into a name that nobody has yet. */

/** Letters, digits, dots, dashes and underscores of any script; everything else becomes one dash. */
export const fileName = (name: string): string =>
  name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");

/** `guard-before-tool`, and where that is taken `guard-before-tool-2`, and so on. */
export function freeName(kind: string, wireName: string, taken: (name: string) => boolean): string {
  const base = `${kind}-${wireName.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}`;
  let name = base;
  for (let i = 2; taken(name); i++) name = `${base}-${i}`;
  return name;
}
