/** Examines the programs that hooks need: the shell, the interpreters of their scripts, and what their commands begin with, on the PATH that hooks get. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { basename, extname } from "node:path";
import { type Entry, entryRecord } from "@carabiner/engine";
import { oneLine, shortPath } from "../../views/index.ts";
import { nodeForTypes } from "../hooks-node.ts";
import { findProgram } from "./find-program.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";
import type { Patient } from "./patient.ts";

const AREA = "Programs that hooks need";
/** What hooks are often written with: told even where nobody needs it yet. */
const OFTEN = ["node", "python3", "jq"] as const;

export function examinePrograms(patient: Patient): readonly Finding[] {
  const { active, platform, pathOf } = patient;
  const path = pathOf(undefined);
  if (platform === "win32") return OFTEN.map((name) => often(name, findProgram(name, path, platform, patient.io.env["PATHEXT"]), []));
  const bash = findProgram("bash", path);
  const scripts = active.flatMap((entry) => scriptsOf(patient, entry));
  return [
    bash === undefined
      ? error(AREA, "bash is not on the PATH that hooks get, and hooks are run by it.", "Install bash, or put its folder into PATH.")
      : ok(AREA, `bash: ${bash}`),
    ...OFTEN.map((name) => often(name, findProgram(name, path), users(name, active, scripts))),
    ...scripts.flatMap((script) => shebangFindings(patient, script)),
    ...typeScriptFindings(patient, scripts),
    ...(bash === undefined ? [] : firstWordFindings(patient, bash)),
  ];
}

interface Script {
  readonly entry: Entry;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Longer than any first lines that matter, and enough to see which tools a script names. */
const MAX_BYTES = 64 * 1024;

function scriptsOf({ engine }: Patient, entry: Entry): readonly Script[] {
  const [judged] = engine.judged([entry]);
  return (judged?.fingerprint.scripts ?? []).flatMap(({ path, sha256 }): readonly Script[] => {
    if (sha256 === "missing" || sha256 === "unreadable") return [];
    const text = beginning(path);
    return text === undefined ? [] : [{ entry, path, text }];
  });
}

function beginning(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_BYTES);
      return buffer.toString("utf8", 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch {
    // EACCES, or ENOENT since the fingerprint was taken: told as a problem of the hook's already.
    return undefined;
  }
}

/** Names of hooks whose command or script has the program's name as a word. */
function users(program: string, entries: readonly Entry[], scripts: readonly Script[]): readonly string[] {
  const word = new RegExp(`(?<![\\w./-])${program}(?![\\w.-])`);
  const uncommented = (text: string): string => text.replace(/^\s*#(?!!).*$/gm, "");
  const found = [
    ...entries.filter((entry) => word.test(entryRecord(entry).command ?? "")),
    ...scripts.filter(({ text }) => /^#!.*sh\b/.test(text) && word.test(uncommented(text))).map(({ entry }) => entry),
  ];
  return [...new Set(found.map(({ name }) => oneLine(name)))];
}

function often(name: string, file: string | undefined, users: readonly string[]): Finding {
  if (file !== undefined) return ok(AREA, `${name}: ${file}`);
  if (users.length === 0) return note(AREA, `${name} is not on the PATH that hooks get; no hook here seems to need it.`);
  return warning(
    AREA,
    `${name} is not on the PATH that hooks get, and ${users.join(", ")} seem${users.length === 1 ? "s" : ""} to need it.`,
    `Install ${name}, or put its folder into PATH.`,
  );
}

function shebangFindings({ engine, io, pathOf }: Patient, { entry, path, text }: Script): readonly Finding[] {
  const [, line = ""] = /^#!([^\n]*)/.exec(text) ?? [];
  if (line === "") return [];
  const about = `${oneLine(entry.name)}: ${shortPath(path, { projectDir: engine.projectDir, home: io.home })}`;
  if (line.endsWith("\r"))
    return [
      warning(
        AREA,
        `${about} has Windows line ends, so that the system looks for a program whose name ends with one.`,
        `Run: sed -i 's/\\r$//' ${path}`,
      ),
    ];
  const words = line.trim().split(/\s+/);
  const viaEnv = basename(words[0] ?? "") === "env";
  // What follows env and its options is looked for in PATH.
  const program = viaEnv ? words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) : words[0];
  if (program === undefined || findProgram(program, pathOf(entry.dialect)) !== undefined) return [];
  return [
    warning(
      AREA,
      `${about} begins with #!${oneLine(line)}, and there is no ${program}${viaEnv ? " on the PATH that hooks get" : ""}.`,
      `Install ${basename(program)}, or correct the first line of the script.`,
    ),
  ];
}

function typeScriptFindings({ io, pathOf }: Patient, scripts: readonly Script[]): readonly Finding[] {
  const typed = scripts.filter(({ path, text }) => [".ts", ".mts", ".cts"].includes(extname(path)) && /^#!.*node\b|^(?!#!)/.test(text));
  const cannot = typed.length === 0 ? undefined : nodeForTypes({ ...io.env, PATH: pathOf(undefined) });
  if (cannot === undefined) return [];
  return [
    warning(
      AREA,
      `${[...new Set(typed.map(({ entry }) => oneLine(entry.name)))].join(", ")}: written in TypeScript. ${cannot.replace(/^--lang ts: /, "").replace(/ Use --lang.*$/, "")}`,
      "Use Node 22.18 or newer, or run the script with another program.",
    ),
  ];
}

/** bash itself is asked, so that what is built in counts. Only a plain first word can be looked up. */
function firstWordFindings({ active, pathOf }: Patient, bash: string): readonly Finding[] {
  return active.flatMap((entry) => {
    const word = firstWord(entry);
    if (word === undefined || findProgram(word, pathOf(entry.dialect)) !== undefined) return [];
    const { status } = spawnSync(bash, ["--norc", "--noprofile", "-p", "-c", 'command -v -- "$1"', "bash", word], {
      env: { PATH: pathOf(entry.dialect) },
      timeout: 5000,
    });
    return status === 0
      ? []
      : [
          warning(
            AREA,
            `${oneLine(entry.name)}: its command begins with ${word}, which is not on the PATH that hooks get.`,
            `Install ${word}, or write its whole path.`,
          ),
        ];
  });
}

function firstWord({ run }: Entry): string | undefined {
  if (run.kind === "function") return undefined;
  const word = run.kind === "exec" ? run.file : (/^\s*([\w.+-]+)(?=\s|$)/.exec(run.command)?.[1] ?? "");
  return /^[\w.+-]+$/.test(word) ? word : undefined;
}
