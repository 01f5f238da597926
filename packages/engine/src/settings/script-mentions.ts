/** Turns a handler's command into the files it names: what it starts, what an interpreter is given to run, and what else may be a file. */
import { basename, isAbsolute, join } from "node:path";
import type { Runner } from "../protocol/index.ts";
import type { Variables } from "./expand.ts";
import { readShellText, type ShellCommand, type ShellWord } from "./shell-words.ts";

/** `program`: started directly, so that it must be executable. `script`: an interpreter runs it. `argument`: a file only if there is one. */
export interface Mention {
  /** Absolute. */
  readonly path: string;
  /** As written, with variables filled in. */
  readonly text: string;
  readonly role: "program" | "script" | "argument";
}
export interface MentionWorld {
  /** Relative paths begin here. */
  readonly projectDir: string;
  readonly home: string;
  /** The variables whose values are known before the hook runs. */
  readonly variables: Variables;
}

/**
 * Every file that the command and its arguments name, in the order of the text, once each; also behind `&&`, `;`, `|`, inside substitutions
 * and inside `sh -c "..."`. A bare program name is looked for in PATH and is not a mention; neither is a word that bash would still change.
 * After a `cd` a relative path begins in its directory; what it would have been without is an argument, for the `cd` may be in a branch or a subshell.
 * What a script itself loads is not known here.
 */
export function mentions(run: Runner, world: MentionWorld): readonly Mention[] {
  if (run.kind === "function") return [];
  const own = { ...world.variables, ...run.env };
  const variables = run.kind === "shell" ? { HOME: world.home, PWD: world.projectDir, ...own } : own;
  const commands =
    run.kind === "shell"
      ? readShellText(run.command, variables, world.home).commands
      : [{ words: [run.file, ...run.args].map((text) => argument(text, variables)), files: [] }];
  const found = new Map<string, Mention>();
  for (const mention of mentionsInOrder(commands, { ...world, variables }, 0)) {
    const known = found.get(mention.path);
    if (known === undefined || (known.role === "argument" && mention.role !== "argument")) found.set(mention.path, mention);
  }
  return [...found.values()];
}

/** In the exec form only `${NAME}` of a known variable is filled in. Source: the study of Qoder CN, section 6.1. */
function argument(text: string, variables: Variables): ShellWord {
  return {
    text: text.replace(/\$\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole)),
    known: true,
  };
}

function mentionsInOrder(commands: readonly ShellCommand[], world: MentionWorld, depth: number): readonly Mention[] {
  let here: string | undefined = world.projectDir;
  return commands.flatMap((command) => {
    const there = here === undefined || here === world.projectDir ? [] : mentionsOf(command, { ...world, projectDir: here }, depth);
    const plain = mentionsOf(command, world, depth);
    const found =
      here === world.projectDir
        ? plain
        : [...there, ...plain.map((one) => (isAbsolute(one.text) ? one : { ...one, role: "argument" as const }))];
    here = after(command, here, world);
    return found;
  });
}

/** Where the next command runs; `undefined` where nobody can say from here. */
function after({ words }: ShellCommand, here: string | undefined, { home }: MentionWorld): string | undefined {
  const [program, ...more] = words.filter(({ text }) => !RESERVED.has(text) && text !== "--");
  if (program === undefined || (program.text !== "cd" && program.text !== "pushd")) return here;
  const [to] = more.filter(({ text }) => !/^-[LPe@]+$/.test(text));
  if (to === undefined) return home;
  if (!to.known || to.text === "-") return undefined;
  if (isAbsolute(to.text)) return to.text;
  return here === undefined ? undefined : join(here, to.text);
}

const RESERVED: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"]);
/** Programs that start the command in their arguments, and their options that take a value. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  exec: ["-a"],
  command: [],
  builtin: [],
  env: ["-u", "--unset", "-C", "--chdir"],
  nohup: [],
  nice: ["-n"],
  ionice: ["-c", "-n"],
  timeout: ["-k", "-s", "--kill-after", "--signal"],
  stdbuf: ["-i", "-o", "-e"],
  setsid: [],
  sudo: ["-u", "-g", "-h", "-p", "-C"],
  xargs: ["-n", "-I", "-L", "-P", "-d", "-a"],
};
/** Wrappers with words of their own before the command. */
const LEADING_WORDS: Readonly<Record<string, number>> = { timeout: 1 };

interface Interpreter {
  /** Options that take a value. */
  readonly valued: readonly string[];
  /** Options after which no file is run. */
  readonly inline: readonly string[];
  /** Is the text after `-c` a command line of the same kind? */
  readonly shell?: true;
  /** Words between the name and the file. */
  readonly verbs?: readonly string[];
}
const SHELL: Interpreter = { valued: ["-o", "-O", "--rcfile", "--init-file"], inline: [], shell: true };
const NODE: Interpreter = {
  valued: ["-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file", "--title"],
  inline: ["-e", "--eval", "-p", "--print", "-pe", "-v", "--version", "--test"],
};
const SCRIPTS: Interpreter = { valued: ["-I", "-W", "-X"], inline: ["-c", "-m", "-e", "-n", "-ne", "-pe", "-V", "--version"] };
const RUNNERS: Interpreter = {
  valued: [...NODE.valued, "--preload", "--config"],
  inline: [...NODE.inline, "x", "eval", "test", "task", "install"],
  verbs: ["run"],
};
const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(?:ba|da|z|k|mk|a)?sh$/, SHELL],
  [/^(?:node|nodejs|tsx|ts-node)$/, NODE],
  [/^(?:bun|deno)$/, RUNNERS],
  [/^(?:python|pypy|ruby|perl|php|lua|Rscript|fish)[\d.]*$/, SCRIPTS],
  [/^(?:\.|source)$/, { valued: [], inline: [] }],
];

function mentionsOf({ words, files }: ShellCommand, world: MentionWorld, depth: number): readonly Mention[] {
  const roles = words.map((): Mention["role"] => "argument");
  const inner: Mention[] = [];
  let first = words.findIndex(({ text }) => !RESERVED.has(text) && !/^\w+\+?=/.test(text));
  if (first === -1) first = words.length;
  while (first < words.length) {
    const wrapper = basename(words[first]?.text ?? "");
    const valued = Object.hasOwn(WRAPPERS, wrapper) ? WRAPPERS[wrapper] : undefined;
    if (valued === undefined) break;
    let next = firstOperand(words, first + 1, valued) + (Object.hasOwn(LEADING_WORDS, wrapper) ? (LEADING_WORDS[wrapper] ?? 0) : 0);
    while (/^\w+=/.test(words[next]?.text ?? "")) next += 1;
    first = next;
  }
  const program = words[first];
  if (program !== undefined) {
    if (program.text.includes("/")) roles[first] = "program";
    const interpreter = INTERPRETERS.find(([names]) => names.test(basename(program.text)))?.[1];
    if (interpreter !== undefined) {
      const script = scriptPosition(words, first + 1, interpreter);
      if (script.kind === "file") roles[script.at] = "script";
      const text = script.kind === "text" ? words[script.at] : undefined;
      // Deeper nesting of `sh -c` is somebody's joke.
      if (text?.known && depth < 5)
        inner.push(...mentionsInOrder(readShellText(text.text, world.variables, world.home).commands, world, depth + 1));
    }
  }
  const own = words.flatMap((word, i) => {
    const bare = i === first ? roles[i] !== "program" : i < first && RESERVED.has(word.text);
    return bare ? [] : mentionsIn(word, roles[i] ?? "argument", world);
  });
  return [...own, ...files.flatMap((word) => mentionsIn(word, "argument", world)), ...inner];
}

/** A word, and what stands behind the `=` of an option or assignment. */
function mentionsIn({ text, known }: ShellWord, role: Mention["role"], world: MentionWorld): readonly Mention[] {
  if (!known || text === "" || text.includes("\0")) return [];
  const value = role === "argument" ? /^-{0,2}[\w-]+=(.+)$/s.exec(text)?.[1] : undefined;
  return [text, ...(value === undefined ? [] : [value])].map((named) => ({
    path: isAbsolute(named) ? named : join(world.projectDir, named),
    text: named,
    role,
  }));
}

type Script = { readonly kind: "file" | "text"; readonly at: number } | { readonly kind: "none" };

function scriptPosition(words: readonly ShellWord[], from: number, { valued, inline, shell, verbs }: Interpreter): Script {
  for (let at = from; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (shell && /^-[a-z]*c[a-z]*$/.test(text)) return { kind: "text", at: firstOperand(words, at + 1, valued) };
    if (inline.includes(text)) return { kind: "none" };
    if (valued.includes(text)) at += 1;
    else if (text === "--") return at + 1 < words.length ? { kind: "file", at: at + 1 } : { kind: "none" };
    else if (!text.startsWith("-") && !verbs?.includes(text)) return { kind: "file", at };
  }
  return { kind: "none" };
}

function firstOperand(words: readonly ShellWord[], from: number, valued: readonly string[]): number {
  let at = from;
  while ((words[at]?.text ?? "").startsWith("-")) at += valued.includes(words[at]?.text ?? "") ? 2 : 1;
  return at;
}
