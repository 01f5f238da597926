/** `carabiner trust approve|revoke`: shows what it is about, asks where somebody can answer, and keeps the answer. */
import { createInterface } from "node:readline/promises";
import { type Engine, type Problem, problemText, type Standing } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { oneLine, painter, shortPath, viewOptions, wrapped } from "../views/index.ts";
import type { TrustWords } from "./trust.ts";
import { folderLines, refuseName, standingLines } from "./trust-list.ts";
import { openProject } from "./trust-open.ts";

export type Verb = "approve" | "revoke";

/** Typing the command is the user's own act: where nobody can be asked again, it counts as the answer. */
export async function decideTrust(verb: Verb, names: readonly string[], words: TrustWords, io: Io): Promise<number> {
  const engine = await openProject(io);
  if (words.folder) {
    if (names.length === 0) return decideFolder(verb, engine, words, io);
    io.err("--folder is about the folder as a whole: leave the names out, or --folder.\n");
    return 1;
  }
  return verb === "approve" ? approve(engine, names, words, io) : revoke(engine, names, words, io);
}

function decideFolder(verb: Verb, engine: Engine, { json }: TrustWords, io: Io): number {
  const problems = engine.trust.decideFolder(engine.projectDir, verb === "approve");
  engine.refresh();
  tellProblems(problems, io);
  const { trusted, by } = engine.folder();
  if (json) {
    io.out(`${JSON.stringify({ folder: { path: engine.projectDir, trusted, by } }, null, 2)}\n`);
  } else io.out(`${folderLines(engine, viewOptions(io), painter(viewOptions(io).colour)).join("\n")}\n`);
  if (trusted !== (verb === "approve")) {
    io.err(
      `${wrapped(`Your answer is kept in ${shortPath(engine.trust.path, { projectDir: engine.projectDir, home: io.home })}, but ${oneLine(by)} decides first, and says otherwise.`, io.columns).join("\n")}\n`,
    );
    return 1;
  }
  return problems.length > 0 ? 1 : 0;
}

async function approve(engine: Engine, names: readonly string[], words: TrustWords, io: Io): Promise<number> {
  const all = engine.standings();
  const unknown = names.find((name) => !all.some(({ entry }) => entry.name === name));
  if (unknown !== undefined)
    return refuseName(
      unknown,
      all.map(({ entry }) => entry.name),
      io,
    );
  const open = all.filter(({ entry, state }) => state !== "approved" && (names.length === 0 || names.includes(entry.name)));
  if (open.length === 0) {
    if (words.json) io.out(`${JSON.stringify({ approved: [] }, null, 2)}\n`);
    else
      io.out(
        all.length === 0
          ? "This project has no hooks of its own: there is nothing to approve.\n"
          : `Approved already, exactly as ${(names.length || all.length) === 1 ? "it is" : "they are"}; nothing changed.\n`,
      );
    return 0;
  }
  if (!words.json) show(engine, open, io);
  if (!(await agreed(`Approve ${open.length === 1 ? "this hook" : `these ${open.length} hooks`}?`, words, io))) {
    io.err("Nothing was approved.\n");
    return 1;
  }
  // What is kept are the fingerprints of what was shown, not of what may stand there by now.
  const problems = engine.trust.approve(engine.projectDir, open);
  tellProblems(problems, io);
  if (words.json)
    io.out(
      `${JSON.stringify({ approved: open.map(({ entry, fingerprint }) => ({ id: entry.id, name: entry.name, digest: fingerprint.digest })) }, null, 2)}\n`,
    );
  else io.out(`\nApproved: ${namesOf(open)}.\n`);
  const { trusted } = engine.folder();
  if (trusted === false)
    io.err(
      `The folder is not trusted, so that ${open.length === 1 ? "it does" : "they do"} not run yet: carabiner trust approve --folder\n`,
    );
  return problems.length > 0 ? 1 : 0;
}

async function revoke(engine: Engine, names: readonly string[], words: TrustWords, io: Io): Promise<number> {
  const records = engine.trust.hooksOf(engine.projectDir);
  const known = [...records].filter(([, { name }]) => names.length === 0 || names.includes(name));
  const unknown = names.find((name) => !known.some(([, record]) => record.name === name));
  if (unknown !== undefined) {
    if (engine.standings().some(({ entry }) => entry.name === unknown)) {
      io.err(`${JSON.stringify(oneLine(unknown))} was never seen or approved: there is nothing to take back.\n`);
      return 1;
    }
    return refuseName(
      unknown,
      [...records.values()].map(({ name }) => name),
      io,
    );
  }
  if (known.length === 0) {
    if (words.json) io.out(`${JSON.stringify({ revoked: [] }, null, 2)}\n`);
    else io.out("No hook of this project was seen or approved: there is nothing to take back.\n");
    return 0;
  }
  if (!(await agreed(`Take back ${known.length === 1 ? "one approval" : `${known.length} approvals`}?`, words, io))) {
    io.err("Nothing was taken back.\n");
    return 1;
  }
  const problems = engine.trust.revoke(
    engine.projectDir,
    known.map(([key]) => key),
  );
  tellProblems(problems, io);
  if (words.json) io.out(`${JSON.stringify({ revoked: known.map(([key, { name, state }]) => ({ key, name, state })) }, null, 2)}\n`);
  else
    io.out(
      `${wrapped(`Taken back: ${known.map(([, { name }]) => oneLine(name)).join(", ")}. Before ${known.length === 1 ? "it" : "one of them"} runs again you are told or asked.`, io.columns).join("\n")}\n`,
    );
  return problems.length > 0 ? 1 : 0;
}

function show(engine: Engine, standings: readonly Standing[], io: Io): void {
  const options = viewOptions(io);
  const paint = painter(options.colour);
  const lines = standings.flatMap((standing, i) => [...(i === 0 ? [] : [""]), ...standingLines(engine, standing, options, paint)]);
  io.out(`${lines.join("\n")}\n`);
}

async function agreed(question: string, { yes, json }: TrustWords, { isTTY, stdin, err }: Io): Promise<boolean> {
  if (yes || json || !isTTY.in) return true;
  const lines = createInterface({ input: stdin });
  try {
    err(`${question} [y/N] `);
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    // The end of the input is no answer.
    return false;
  } finally {
    lines.close();
  }
}

const namesOf = (standings: readonly Standing[]): string => standings.map(({ entry }) => oneLine(entry.name)).join(", ");
function tellProblems(problems: readonly Problem[], { err }: Io): void {
  for (const problem of problems) err(`${problemText(problem)}\n`);
}
