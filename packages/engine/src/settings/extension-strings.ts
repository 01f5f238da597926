/** Turns an extension's strings that name its own places into texts, and its commands into commands that find those places in the environment. */
import type { Json } from "../protocol/index.ts";
import { mapStrings } from "./expand.ts";
import { readShellText } from "./shell-words.ts";

/** Both absolute directories. Source: the study of Gemini CLI, CFG-27. */
export interface ExtensionPlaces {
  readonly extensionPath: string;
  readonly workspacePath: string;
}

const VARIABLES = { extensionPath: "CARABINER_EXTENSION_PATH", workspacePath: "CARABINER_WORKSPACE_PATH" } as const satisfies Record<
  keyof ExtensionPlaces,
  string
>;
const isPlace = (name: string): name is keyof ExtensionPlaces => Object.hasOwn(VARIABLES, name);
const separator = (platform: NodeJS.Platform): string => (platform === "win32" ? "\\" : "/");

/** `${extensionPath}`, `${workspacePath}`, `${/}` and `${pathSeparator}` in every string of a value; every other text stays as written. */
export function fillExtensionStrings(value: Json, places: ExtensionPlaces, platform: NodeJS.Platform): Json {
  return mapStrings(value, (text) =>
    text.replace(/\$\{([\w/]+)\}/g, (whole, name: string) => {
      if (name === "/" || name === "pathSeparator") return separator(platform);
      return isPlace(name) ? places[name] : whole;
    }),
  );
}

/**
 * The command with `${extensionPath}` and `${workspacePath}` as references to variables of its environment, and those variables.
 * A path is never pasted into what a shell parses: outside quotes the reference becomes `"${CARABINER_EXTENSION_PATH}"`, one word whatever
 * the path contains; inside double quotes it is the same without quotes; single quotes are closed before it and opened again behind it.
 * In PowerShell a reference needs no quotes, and inside single quotes, where no path can be code, the path itself stands.
 * Source: contracts/gemini.md, "Running": nothing is pasted into a command as text that the shell parses again.
 */
export function extensionCommand(
  command: string,
  places: ExtensionPlaces,
  platform: NodeJS.Platform,
): { readonly command: string; readonly env: Readonly<Record<string, string>> } {
  const text = command.replace(/\$\{(?:\/|pathSeparator)\}/g, () => separator(platform));
  const env: Record<string, string> = {};
  for (const name of Object.keys(VARIABLES)) if (isPlace(name) && text.includes(`\${${name}}`)) env[VARIABLES[name]] = places[name];
  if (Object.keys(env).length === 0) return { command: text, env };
  return { command: platform === "win32" ? inPowerShell(text, places) : inBash(text), env };
}

function inBash(text: string): string {
  let written = "";
  let at = 0;
  for (const { name, from, to, quotes } of readShellText(text, {}, "").references.toSorted((a, b) => a.from - b.from)) {
    if (!isPlace(name)) continue;
    const reference = `\${${VARIABLES[name]}}`;
    const quoted = { none: `"${reference}"`, double: reference, single: `'"${reference}"'` }[quotes];
    written += text.slice(at, from) + quoted;
    at = to;
  }
  // In comments and here-documents nothing is quoted: there the plain reference is what the product's text would have been.
  return (written + text.slice(at)).replace(/\$\{(\w+)\}/g, (whole, name: string) => (isPlace(name) ? `\${${VARIABLES[name]}}` : whole));
}

function inPowerShell(text: string, places: ExtensionPlaces): string {
  return text.replace(/'(?:[^']|'')*'|\$\{(\w+)\}/g, (whole, name: string | undefined) => {
    if (name !== undefined) return isPlace(name) ? `\${env:${VARIABLES[name]}}` : whole;
    // PowerShell takes the typographic quotes for single quotes, too.
    return whole.replace(/\$\{(\w+)\}/g, (inner, place: string) => (isPlace(place) ? places[place].replace(/['‘’‚‛]/g, "$&$&") : inner));
  });
}
