/** Turns the place of a script into the command that starts it. */
import type { Language } from "./starter.ts";

/** `inProject`: relative to the project, with `/`; the command names it through the variable, so that it works from every directory. */
export type ScriptPlace = { readonly variable: string; readonly inProject: string } | { readonly absolute: string };

const INTERPRETERS: Readonly<Record<Language, string>> = { sh: "bash", python: "python", node: "node", ts: "node" };

/** POSIX starts the script by its `#!` line; Windows knows no such line, and is given the interpreter. */
export function commandText(place: ScriptPlace, lang: Language, platform: NodeJS.Platform): string {
  const path = "absolute" in place ? place.absolute : `$${place.variable}/${place.inProject}`;
  if (platform === "win32") return `${INTERPRETERS[lang]} "${path}"`;
  if ("inProject" in place) return `"$${place.variable}"/${place.inProject}`;
  return /^[\w@%+=:,./-]+$/.test(place.absolute) ? place.absolute : `'${place.absolute.replaceAll("'", "'\\''")}'`;
}
