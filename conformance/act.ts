/** Turns what a case wants of a hook into a small sh program that does it and keeps notes of what it saw. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Act } from "./cases.ts";

/** Where the programs of a case's hooks are, and where they keep their notes. */
export interface Acts {
  readonly programs: string;
  readonly notes: string;
}

/** Writes the program of one hook. `variables`: the names whose values it notes. */
export function writeAct(acts: Acts, hook: string, act: Act, variables: readonly string[]): void {
  for (const folder of [acts.programs, acts.notes]) mkdirSync(folder, { recursive: true });
  const path = actPath(acts, hook);
  writeFileSync(path, program(acts, hook, act, variables));
  chmodSync(path, act.mode === "plain" ? 0o644 : 0o755);
}
/** What stands for `{{hook}}` in a command. */
export const actPath = ({ programs }: Acts, hook: string): string => `${programs}/${hook}`;

/** What one hook noted when it ran last, and how often it was started. */
export interface Noted {
  readonly starts: number;
  readonly stdin: string | undefined;
  readonly cwd: string | undefined;
  readonly variable: (name: string) => string | undefined;
}
export function noted(acts: Acts, hook: string): Noted {
  const note = (what: string): string | undefined => {
    const path = `${acts.notes}/${hook}.${what}`;
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  return {
    starts: steps(acts).filter((step) => step === `${hook} started`).length,
    stdin: note("stdin"),
    cwd: note("cwd")?.trimEnd(),
    variable: (name) => note(`env.${name}`),
  };
}
/** `<hook> started` and `<hook> ended` of all hooks, in the order in which they happened. */
export const steps = (acts: Acts): readonly string[] => linesOf(`${acts.notes}/steps`);
/** Process ids of children that hooks left behind. */
export const children = (acts: Acts): readonly number[] => linesOf(`${acts.notes}/children`).map(Number);

/** How long a hook that was left running may take to its end. */
const LATER_MS = 15_000;
export async function cameToItsEnd(acts: Acts, hook: string): Promise<boolean> {
  for (const until = performance.now() + LATER_MS; performance.now() < until; await wait(20))
    if (steps(acts).includes(`${hook} ended`)) return true;
  return false;
}

const linesOf = (path: string): readonly string[] => (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []);

function program({ programs, notes }: Acts, hook: string, act: Act, variables: readonly string[]): string {
  const here = quoted(`${notes}/${hook}`);
  const steps = quoted(`${notes}/steps`);
  const lines = ["#!/bin/sh", `echo ${quoted(`${hook} started`)} >> ${steps}`, `pwd -P > ${here}.cwd`];
  if (act.ignoresTerm) lines.push("trap '' TERM");
  for (const name of variables) lines.push(`if [ "\${${name}+set}" ]; then printf '%s' "$${name}" > ${here}.env.${name}; fi`);
  if (!act.readsNothing) lines.push(`cat > ${here}.stdin`);
  lines.push(`: > ${here}.started`);
  if (act.waitsFor !== undefined) lines.push(...waiting(`${notes}/${act.waitsFor}.started`, 0.02));
  if (act.untilFired) lines.push(...waiting(`${notes}/${FIRED}`, 0.05));
  if (act.sleepMs !== undefined) lines.push(`sleep ${act.sleepMs / 1000}`);
  if (act.bytes !== undefined) lines.push(`printf '${act.bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}'`);
  if (act.stdout !== undefined) lines.push(...printing(`${programs}/${hook}.stdout`, act.stdout, act.repeat));
  if (act.stderr !== undefined) lines.push(`printf '%s' ${quoted(act.stderr)} >&2`);
  if (act.leavesChildMs !== undefined) lines.push(`sleep ${act.leavesChildMs / 1000} &`, `echo $! >> ${quoted(`${notes}/children`)}`);
  lines.push(`echo ${quoted(`${hook} ended`)} >> ${steps}`);
  lines.push(act.signal === undefined ? `exit ${act.exit ?? 0}` : `kill -s ${act.signal} $$`);
  return `${lines.join("\n")}\n`;
}

/** What a hook that goes on until the firing has ended waits for. */
const FIRED = "fired";
/** The firing has ended: tells the hooks that wait for that. */
export function release({ notes }: Acts): void {
  mkdirSync(notes, { recursive: true });
  writeFileSync(`${notes}/${FIRED}`, "");
}

/** Five hundred looks at most, which take longer where the machine is busy: a hook that waits for one that is started after it must fail, not hang. */
const waiting = (mark: string, seconds: number): readonly string[] => [
  "tries=0",
  `while [ ! -e ${quoted(mark)} ]; do tries=$((tries + 1)); [ $tries -gt 500 ] && exit 99; sleep ${seconds}; done`,
];

function printing(file: string, stdout: NonNullable<Act["stdout"]>, repeat: number | undefined): readonly string[] {
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  if (repeat === undefined) return [`printf '%s' ${quoted(text)}`];
  writeFileSync(file, text.repeat(repeat));
  return [`cat ${quoted(file)}`];
}
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
