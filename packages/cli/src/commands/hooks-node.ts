/** Says whether the Node that hooks will find strips types, or why a TypeScript hook cannot run here. */
import { spawnSync } from "node:child_process";

/** `undefined`: it does. Source: Node.js, "Modules: TypeScript": without a flag from 22.18 and 23.6 on. */
export function nodeForTypes(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { stdout, error } = spawnSync("node", ["--version"], { env: { PATH: env["PATH"] }, encoding: "utf8", timeout: 5000 });
  const otherwise = "Use --lang node: JavaScript whose types are checked by // @ts-check.";
  if (error !== undefined) return `--lang ts: no node was found in PATH (${error.message}). ${otherwise}`;
  return stripsTypes(stdout)
    ? undefined
    : `--lang ts: the node in PATH is ${stdout.trim()}, and TypeScript files run without a build from 22.18 on. ${otherwise}`;
}

export function stripsTypes(version: string): boolean {
  const [, major = 0, minor = 0] = /^v?(\d+)\.(\d+)/.exec(version.trim())?.map(Number) ?? [];
  return major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}
