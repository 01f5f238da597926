/** Says where a hook is configured, as short as a person can still find it. */
import type { EntryRecord, Scope } from "@carabiner/engine";
import { oneLine } from "./fit.ts";

const SCOPES: Readonly<Record<Scope, string>> = {
  code: "registered in code",
  flag: "--settings",
  local: "project, local",
  project: "project",
  user: "user",
  system: "system",
  extension: "extension",
  systemDefaults: "system defaults",
};

interface Around {
  readonly projectDir: string;
  readonly home: string;
}

/** `.gemini/settings.json:7 (project)`. */
export function originOf({ place, scope }: Pick<EntryRecord, "place" | "scope">, around: Around): string {
  if (!place) return SCOPES[scope];
  return `${shortPath(place.file, around)}${place.line === undefined ? "" : `:${place.line}`} (${SCOPES[scope]})`;
}

/** Relative to the project, else below `~`, else as it is. */
export function shortPath(path: string, { projectDir, home }: Around): string {
  const clean = oneLine(path);
  if (projectDir !== "/" && clean.startsWith(`${projectDir}/`)) return clean.slice(projectDir.length + 1);
  return homePath(clean, home);
}
/** The same for paths inside a text. */
export function shortPaths(text: string, { projectDir, home }: Around): string {
  const inProject = projectDir === "/" ? text : text.replaceAll(`${projectDir}/`, "");
  return home === "" || home === "/" ? inProject : inProject.replaceAll(`${home}/`, "~/");
}
export function homePath(path: string, home: string): string {
  if (home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
