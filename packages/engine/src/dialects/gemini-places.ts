/** Where Gemini CLI keeps its files, and how its stores about folders and extensions are read. */
import { isObject, type Json } from "../protocol/index.ts";
import type { Dialect, Whereabouts } from "./dialect.ts";

/** Source: the study of the binary, CFG-1. */
export const userDir = ({ home, env }: Pick<Whereabouts, "home" | "env">): string => `${env.GEMINI_CLI_HOME || home}/.gemini`;
export const systemFile = ({ env, platform }: Pick<Whereabouts, "env" | "platform">): string =>
  env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || `${systemDir(platform)}/settings.json`;
function systemDir(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "/Library/Application Support/GeminiCli";
  return platform === "win32" ? "C:\\ProgramData\\gemini-cli" : "/etc/gemini-cli";
}

/** Source: Gemini CLI extensions reference; CFG-26 and CFG-29 of the study. */
export const extensions: NonNullable<Dialect["extensions"]> = {
  manifest: "gemini-extension.json",
  named: "name",
  installed: ".gemini-extension-install.json",
  link: (stored) => (isObject(stored) && stored.type === "link" && typeof stored.source === "string" ? stored.source : undefined),
  enablement: {
    file: (where) => `${userDir(where)}/extensions/extension-enablement.json`,
    isOff: (stored, name, folder) => lastRule(stored, name, folder)?.startsWith("!") ?? false,
  },
};

/** The last rule that covers the folder: `!` in front switches off, `*` at the end means everything below as well. */
function lastRule(stored: Json, name: string, folder: string): string | undefined {
  const own = isObject(stored) && Object.hasOwn(stored, name) ? stored[name] : undefined;
  const rules = isObject(own) && Array.isArray(own.overrides) ? own.overrides : [];
  const path = `/${folder.replaceAll("\\", "/")}/`.replace(/\/+/g, "/");
  return rules
    .filter((rule: Json) => typeof rule === "string")
    .findLast((rule) => {
      const covered = rule.replace(/^!/, "");
      // `/a/*` means `/a/` itself, too.
      return covered.endsWith("*") ? path.startsWith(covered.slice(0, -1)) : path === covered;
    });
}

/** Longest matching path wins; TRUST_PARENT speaks for the folder above the path it is written on. Source: study, 6.1. */
export function longestRule(stored: unknown, folder: string): boolean | undefined {
  if (!isObject(stored)) return undefined;
  let longest = -1;
  let trusted: boolean | undefined;
  for (const [path, rule] of Object.entries(stored)) {
    const root = rule === "TRUST_PARENT" ? path.replace(/[/\\]+[^/\\]+[/\\]*$/, "") : path.replace(/[/\\]+$/, "");
    const covers = folder === root || folder.startsWith(`${root}/`) || folder.startsWith(`${root}\\`);
    if (!covers || root.length <= longest) continue;
    if (rule === "TRUST_FOLDER" || rule === "TRUST_PARENT") [longest, trusted] = [root.length, true];
    else if (rule === "DO_NOT_TRUST") [longest, trusted] = [root.length, false];
  }
  return trusted;
}
