/** Turns the path in a rule and the path in a call into whether the rule speaks of it. Nothing is looked at on disk. */
import { isAbsolute, join, relative, resolve } from "node:path";
import type { ToolKind } from "@carabiner/engine";
import picomatch from "picomatch";
import type { ArgumentTest, Rule } from "./policy.ts";

/** Where relative paths and `~` in calls and rules start. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Tools whose main argument is a path. */
export const PATH_KINDS: ReadonlySet<ToolKind> = new Set(["readFile", "writeFile", "editFile", "listDirectory"]);

/** Compared without `..`, absolute and relative to the working directory. */
export function saysOfPath(test: ArgumentTest, rule: Rule, value: string, place: Place): boolean {
  const path = resolve(place.cwd, expanded(value, place));
  const step = relative(place.cwd, path);
  const isInside = step !== "" && !step.startsWith("..") && !isAbsolute(step);
  const forms = isInside ? [path, step] : [path];
  return patterns(test, rule, place).some(({ glob, anywhere }) => {
    if (test.kind === "exact") return path === resolve(place.cwd, glob);
    const below = test.rooted || test.kind === "prefix" ? [`${glob}/**`] : [];
    return forms.some((form) => [glob, ...below].some((one) => fits(anywhere ? `**/${one}` : one, form)));
  });
}

/** Whether a pattern of files may name one that the rule speaks of: in doubt it does, for a guard looks at what it cannot rule out. */
export function mayReach(test: ArgumentTest, rule: Rule, pattern: string, place: Place): boolean {
  if (saysOfPath(test, rule, pattern, place)) return true;
  if (!/[*?[{]/.test(pattern)) return false;
  const files = expanded(pattern, place).replace(/^\.\//, "");
  return patterns(test, rule, place).some(({ glob, anywhere }) => {
    if (anywhere) return fits(lastName(files), glob);
    const step = isAbsolute(glob) && !isAbsolute(files) ? relative(place.cwd, glob) : glob;
    return fits(files, step);
  });
}
const lastName = (path: string): string => path.split("/").at(-1) ?? path;

/** A guard reads `/etc/**` as the disk's too: whoever wrote it may have meant that. A permission is what the product makes of it. */
function patterns(test: ArgumentTest, rule: Rule, place: Place): readonly { readonly glob: string; readonly anywhere: boolean }[] {
  const given = expanded(test.pattern, place);
  const written = given.replace(/^\.\//, "").replace(/(?<=.)\/$/, "");
  const at = (glob: string) => ({ glob, anywhere: false });
  if (!test.rooted) return [{ glob: written, anywhere: test.kind === "glob" && !given.includes("/") }];
  if (written.startsWith("//")) return [at(written.slice(1))];
  if (given !== test.pattern) return [at(written)];
  if (!written.startsWith("/")) return [{ glob: written, anywhere: !written.includes("/") && !given.startsWith("./") }];
  const rooted = at(join(rule.source.scope === "user" ? place.home : place.cwd, written));
  return rule.effect === "allow" ? [rooted] : [rooted, at(written)];
}

const fits = (glob: string, path: string): boolean => picomatch.isMatch(path, glob, { dot: true, nonegate: true });
const expanded = (path: string, place: Place): string => (path === "~" || path.startsWith("~/") ? place.home + path.slice(1) : path);
