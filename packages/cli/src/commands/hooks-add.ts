/** `carabiner hooks add`: writes a first script for an event, its entry in the settings, and tries it once. */
import { chmodSync, existsSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type Dialect, type Engine, type Entry, type JsonObject, problemText, type Scope } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { fileError, labelled, oneLine, originOf, painter, problemLines, shortPath, viewOptions, wrapped } from "../views/index.ts";
import { type EventChoice, readEvent } from "./fire-event.ts";
import { DIALECT_IDS, openEngine } from "./hooks-engine.ts";
import { fileName, freeName } from "./hooks-name.ts";
import { nodeForTypes } from "./hooks-node.ts";
import { tryHook } from "./hooks-try.ts";
import { commandText, EXTENSIONS, kindOf, type Language, type Starter, shellOf, writeStarter } from "./starters/index.ts";

export interface AddWords {
  readonly event: string;
  readonly matcher?: string;
  readonly name?: string;
  readonly lang?: Language;
  readonly scope?: Extract<Scope, "project" | "user">;
  readonly dialect?: string;
}

/** What was written, so that other commands may say what to do next. */
export interface AddedHook {
  readonly choice: EventChoice;
  readonly starter: Starter;
  /** Nobody has decided whether to trust the folder. */
  readonly folderUndecided: boolean;
}

export async function addHook(words: AddWords, io: Io): Promise<number> {
  const added = await writeHook(words, io);
  if (typeof added === "string") {
    io.err(`${wrapped(added, io.columns).join("\n")}\n`);
    return 1;
  }
  io.out(`${nextSteps(added).join("\n")}\n`);
  return 0;
}

/** Says on stdout what it did; a text is why it did nothing. */
export async function writeHook(words: AddWords, io: Io): Promise<AddedHook | string> {
  if (words.dialect !== undefined && !DIALECT_IDS.includes(words.dialect))
    return `--dialect ${JSON.stringify(words.dialect)}: expected one of ${DIALECT_IDS.join(", ")}.`;
  const opened = openEngine(io, words.dialect);
  if (!opened.ok) return opened.problem;
  const choice = readEvent(words.event, opened.engine.dialects);
  if (!choice.ok) return choice.problem;
  if (!opened.engine.dialects.includes(choice.dialect)) return elsewhere(choice, opened.engine);
  const lang = words.lang ?? (process.platform === "win32" ? "node" : "sh");
  const cannot = lang === "ts" ? nodeForTypes(io.env) : undefined;
  if (cannot !== undefined) return cannot;

  const { engine } = opened;
  const plan = planOf(engine, choice, { ...words, lang }, io);
  if (typeof plan === "string") return plan;
  const entry = write(engine, plan);
  if (typeof entry === "string") return entry;
  await tell(engine, entry, plan, io);
  return { choice, starter: plan.starter, folderUndecided: engine.folder().trusted === undefined };
}

interface Plan {
  readonly choice: EventChoice;
  readonly lang: Language;
  readonly scope: Scope;
  readonly name: string;
  readonly starter: Starter;
  /** Absolute. */
  readonly script: string;
  readonly group: JsonObject;
}

function planOf(engine: Engine, choice: EventChoice, words: AddWords & { readonly lang: Language }, { home }: Io): Plan | string {
  const { dialect, wireName, row } = choice;
  const { lang, scope = "project" } = words;
  const layer = engine.layers().find((one) => one.dialect === dialect.id && one.scope === scope);
  if (layer === undefined)
    return `There is no ${scope} settings file here: this folder is your home, and its file is the user's. Add --scope user.`;
  if (layer.found && layer.settings === undefined) return layer.problems.map(problemText).join("\n");
  const matcher = words.matcher ?? (kindOf(orderOf("x"), true) === "guard" ? shellOf(dialect.tools) : undefined);
  const isAboutTool = "tool" in row.example;
  const tool = isAboutTool ? toolFor(dialect, matcher) : undefined;
  const subject = isAboutTool
    ? undefined
    : row.matcher.known?.find((known) => matcher !== undefined && (matcher === known || isMatch(`^(?:${matcher})$`, known)));
  const kind = kindOf(orderOf("x"), !isAboutTool || tool === shellOf(dialect.tools));
  const folder = join(dirname(layer.path), "hooks");
  const taken = (name: string): boolean =>
    engine.hooks().some((entry) => entry.name === name) || existsSync(join(folder, `${fileName(name)}.${EXTENSIONS[lang]}`));
  if (words.name !== undefined && fileName(words.name) === "")
    return `--name ${JSON.stringify(words.name)}: expected letters or digits in it.`;
  if (words.name !== undefined && taken(words.name))
    return `There is a hook or a script called ${JSON.stringify(oneLine(words.name))} already. Give another --name.`;
  const name = words.name ?? freeName(kind, wireName, taken);
  const script = join(folder, `${fileName(name)}.${EXTENSIONS[lang]}`);
  const command = commandText(placeOf(dialect, scope, script, engine.projectDir), lang, process.platform);
  const starter = writeStarter(orderOf(fileName(name)), kind, lang, { tool, subject });
  return {
    choice,
    lang,
    scope,
    name,
    starter,
    script,
    group: { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, name }] },
  };

  function orderOf(file: string) {
    const inProject = relative(scope === "user" ? home : engine.projectDir, dirname(layer?.path ?? ""));
    return { dialect, wireName, row, name: file, settingsDir: inProject.split(sep).join("/") };
  }
}

function placeOf({ environment }: Dialect, scope: Scope, script: string, projectDir: string) {
  const variable = Object.entries(environment).find(([, holds]) => holds === "projectDir")?.[0];
  if (scope === "user" || variable === undefined) return { absolute: script };
  return { variable, inProject: relative(projectDir, script).split(sep).join("/") };
}

/** A tool that the matcher lets through, the one it names in full first; without a matcher the shell. */
function toolFor({ tools }: Dialect, matcher: string | undefined): string | undefined {
  if (matcher === undefined) return shellOf(tools);
  const fitting = (pattern: string) =>
    tools.tools.find(({ name, aliases = [] }) => [name, ...aliases].some((one) => one === matcher || isMatch(pattern, one)))?.name;
  return fitting(`^(?:${matcher})$`) ?? fitting(matcher);
}

/** Only a guess at what to try the hook with: whether it runs then, the engine says. */
function isMatch(pattern: string, word: string): boolean {
  try {
    return new RegExp(pattern).test(word);
  } catch {
    return false;
  }
}

function write(engine: Engine, { choice, scope, script, starter, group, name }: Plan): Entry | string {
  try {
    mkdirSync(dirname(script), { recursive: true });
    // `wx`: what somebody put there meanwhile stays.
    writeFileSync(script, starter.text, { flag: "wx" });
    chmodSync(script, 0o755);
  } catch (error) {
    return `The script ${script} cannot be written (${fileError(error)}). Nothing was changed.`;
  }
  const added = engine.addGroup({ dialect: choice.dialect.id, wireName: choice.wireName, scope, group });
  const entry = added.kind === "done" ? engine.hooks().find((one) => one.name === name && one.place?.file === added.file) : undefined;
  if (entry) return entry;
  unlinkSync(script);
  if (added.kind === "refused") return added.problems.map(problemText).join("\n");
  return added.kind === "noScope"
    ? `There is no ${scope} settings file here.`
    : `${added.file} was changed, and the hook is not among its hooks.`;
}

async function tell(engine: Engine, entry: Entry, plan: Plan, io: Io): Promise<void> {
  const around = { projectDir: engine.projectDir, home: io.home };
  const { columns, colour } = viewOptions(io);
  const rows = [
    { label: "does", text: plan.starter.does },
    { label: "script", text: `${shortPath(plan.script, around)} (yours to edit)` },
    { label: "settings", text: originOf(entry, around) },
    ...(entry.matcher === undefined ? [] : [{ label: "matcher", text: oneLine(entry.matcher) }]),
  ];
  const title = `Added the hook ${oneLine(plan.name)} to ${plan.choice.wireName} (${plan.choice.dialect.title}).`;
  io.out(`${[...wrapped(title, columns), ...labelled(rows, "  ", columns, painter(colour), "settings".length)].join("\n")}\n\n`);
  // Typing this command is the user's own act, and what is approved is what it wrote a moment ago.
  if (plan.scope === "project")
    for (const problem of engine.trust.approve(engine.projectDir, engine.judged([entry]))) io.err(`${problemText(problem)}\n`);
  const problems = engine
    .problems()
    .filter(({ hook, place }) => hook === entry.name && "file" in place && place.file === entry.place?.file);
  if (problems.length > 0) io.err(`${problemLines(problems, { ...around, columns }, painter(colour && io.isTTY.err)).join("\n")}\n\n`);
  if (entry.barred)
    io.out(`${wrapped(`It does not run as things stand (${entry.barred.status}): ${entry.barred.why}.`, io.columns).join("\n")}\n\n`);
  await tryHook(
    { choice: plan.choice, group: plan.group, script: plan.script, starter: plan.starter, projectDir: engine.projectDir, name: plan.name },
    io,
  );
}

/** The word is another product's than those here. */
function elsewhere({ dialect, wireName, row }: EventChoice, { dialects }: Engine): string {
  const counterparts = dialects.map(({ title, rows }) => {
    const names = Object.entries(rows).flatMap(([name, other]) => (other.on === row.on ? [name] : []));
    return `${title} ${names.length === 0 ? "has no such event" : `calls this moment ${names.join(" or ")}`}`;
  });
  return `${wireName} is an event of ${dialect.title}; ${counterparts.join(", ")}. If you mean ${dialect.title}, add --dialect ${dialect.id}.`;
}

/** The three things to do next, and a fourth where the folder's trust is still to be decided. */
export function nextSteps({ choice, starter, folderUndecided }: AddedHook): readonly string[] {
  const fields = starter.examples.at(-1)?.fields ?? {};
  const { tool_name: tool, tool_input: call, ...others } = fields;
  const input = call ?? (Object.keys(others).length > 0 ? others : undefined);
  const options = [
    typeof tool === "string" ? ` --tool ${tool}` : "",
    input === undefined ? "" : ` --input '${JSON.stringify(input).replaceAll("'", "'\\''")}'`,
  ].join("");
  return [
    "Next:",
    `  fire it     carabiner fire ${choice.wireName}${options}`,
    "  explain it  carabiner explain last",
    "  list all    carabiner hooks list",
    ...(folderUndecided ? ["  trust       carabiner trust approve --folder   (once, for the agent)"] : []),
  ];
}
