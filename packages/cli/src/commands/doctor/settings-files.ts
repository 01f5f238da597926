/** Examines the settings files: each that is looked for, whether it is there, and what hooks stand in it. */
import { type Engine, type Layer, type Problem, placeText } from "@carabiner/engine";
import { homePath, oneLine, originOf, shortPath } from "../../views/index.ts";
import { type Area, type Finding, note, ok } from "./finding.ts";
import type { Patient } from "./patient.ts";

export function examineSettings({ engine, io }: Patient): readonly Finding[] {
  const around = { projectDir: engine.projectDir, home: io.home };
  const files = engine.layers().map((layer): Finding => {
    const where = originOf({ place: { file: layer.path, jsonPath: "" }, scope: layer.scope }, around);
    if (!layer.found) return note("Settings files", `${where}: there is no such file`);
    if (layer.settings === undefined) return note("Settings files", `${where}: cannot be used, see below`);
    return ok("Settings files", `${where}: ${countText(hookCounts(engine, layer))}`);
  });
  const problems = engine.problems().filter(({ hook, code }) => hook === undefined && !ELSEWHERE.has(code));
  return [...files, ...problems.map((problem) => findingOf("Settings files", problem, around))];
}

/** Told where the folder's trust is. */
const ELSEWHERE: ReadonlySet<string> = new Set(["FOLDER_UNTRUSTED", "PROJECT_HOOKS_FORBIDDEN", "TRUST_STORE_BAD"]);

/** By event, in the file's order. */
export function hookCounts(engine: Engine, { path, dialect }: Layer): Readonly<Record<string, number>> {
  const counts: Record<string, number> = Object.create(null);
  for (const { place, wireName, dialect: own } of engine.hooks())
    if (place?.file === path && own === dialect) counts[wireName] = (counts[wireName] ?? 0) + 1;
  return counts;
}

function countText(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  if (sum === 0) return "no hooks";
  return `${sum} hook${sum === 1 ? "" : "s"} (${all.map(([event, count]) => `${oneLine(event)} ${count}`).join(", ")})`;
}

/** A problem of the engine's with its place; what to do, or what happens otherwise. */
export function findingOf(
  area: Area,
  problem: Problem,
  { projectDir, home }: { readonly projectDir: string; readonly home: string },
): Finding {
  const { place, hook, what, expected, found, now, todo, level } = problem;
  const where =
    "file" in place
      ? `${shortPath(place.file, { projectDir, home })}${place.line === undefined ? "" : `:${place.line}`}`
      : "path" in place
        ? shortPath(place.path, { projectDir, home })
        : homePath(oneLine(placeText(place)), home);
  const about = hook === undefined ? where : `${oneLine(hook)} (${where})`;
  const more =
    expected === undefined
      ? found === undefined
        ? ""
        : ` Found: ${found}.`
      : ` Expected ${expected}${found === undefined ? "." : `, found ${found}.`}`;
  return { area, level, what: `${about}: ${what}${more} ${now}`, fix: todo };
}
