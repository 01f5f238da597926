/** Turns bash text into its simple commands as words, those inside substitutions too. It follows quoting, and runs and looks up nothing itself. */
import type { Variables } from "./expand.ts";

/** A word with known variables filled in. `known` is false where bash would make something else of it: other variables, patterns, substitutions. */
export interface ShellWord {
  readonly text: string;
  readonly known: boolean;
}
/** One simple command: its words, assignments before it included, and the files it reads by redirection. What it writes is its product, not its code. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly files: readonly ShellWord[];
}
/** Where `${name}` stands in the text, and in which quotes. In single quotes bash does not expand it. */
export interface Reference {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly quotes: "none" | "double" | "single";
}
export interface ShellText {
  readonly commands: readonly ShellCommand[];
  readonly references: readonly Reference[];
}

/** Reads text to its end whatever is in it: an open quote or bracket reaches to the end. `home` stands for `~`. */
export function readShellText(text: string, variables: Variables, home: string): ShellText {
  const reader: Reader = { text, variables, home, at: 0, commands: [], references: [], heredocs: [] };
  while (reader.at < text.length) {
    readCommands(reader, "");
    // A closing bracket that nothing opened.
    reader.at += 1;
  }
  return { commands: reader.commands, references: reader.references };
}

interface Reader {
  readonly text: string;
  readonly variables: Variables;
  readonly home: string;
  at: number;
  readonly commands: ShellCommand[];
  readonly references: Reference[];
  readonly heredocs: { readonly delimiter: string; readonly tabs: boolean }[];
}
/** What the next word is to a redirection. */
type Redirection = "no" | "from" | "to";
interface Word {
  text: string;
  known: boolean;
}

/** Reads up to the bracket or backtick that ends it (not past it), or to the end. */
function readCommands(r: Reader, end: "" | ")" | "`"): void {
  let words: Word[] = [];
  let files: Word[] = [];
  let word: Word | undefined;
  let redirected: Redirection = "no";
  let depth = 0;
  const endWord = (): void => {
    if (word === undefined) return;
    if (redirected !== "to") (redirected === "from" ? files : words).push(word);
    word = undefined;
    redirected = "no";
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || files.length > 0) r.commands.push({ words, files });
    [words, files, redirected] = [[], [], "no"];
  };
  while (r.at < r.text.length) {
    const c = r.text.charAt(r.at);
    if (c === end && depth === 0) break;
    if (c === " " || c === "\t" || c === "\r") {
      endWord();
      r.at += 1;
    } else if (c === "\n") {
      endCommand();
      r.at += 1;
      skipHeredocs(r);
    } else if (c === "#" && word === undefined) {
      const line = r.text.indexOf("\n", r.at);
      r.at = line === -1 ? r.text.length : line;
    } else if (c === ";" || c === "|" || (c === "&" && r.text.charAt(r.at + 1) !== ">")) {
      endCommand();
      r.at += 1;
    } else if (c === "(" || c === ")") {
      endCommand();
      depth = Math.max(0, depth + (c === "(" ? 1 : -1));
      r.at += 1;
    } else if (c === "<" || c === ">" || c === "&") {
      // The number before it is a descriptor, no word.
      if (word !== undefined && /^\d+$/.test(word.text)) word = undefined;
      endWord();
      redirected = readRedirection(r);
    } else {
      word ??= { text: "", known: true };
      readPiece(r, word);
    }
  }
  endCommand();
}

/** One character, quotation or expansion outside quotes. */
function readPiece(r: Reader, word: Word): void {
  const c = r.text.charAt(r.at);
  if (c === "\\") {
    if (r.text.charAt(r.at + 1) !== "\n") word.text += r.text.charAt(r.at + 1);
    r.at += 2;
  } else if (c === "'") readSingle(r, word);
  else if (c === '"') readDouble(r, word);
  else if (c === "`") readBackticks(r, word);
  else if (c === "$") readDollar(r, word, "none");
  else if (c === "~" && word.text === "" && /^~(?:\/|[\s;&|<>)]|$)/.test(r.text.slice(r.at, r.at + 2))) {
    word.text += r.home;
    r.at += 1;
  } else {
    if ("*?[~".includes(c) || (c === "{" && /^\{[^\s}]*,/.test(r.text.slice(r.at, r.at + 200)))) word.known = false;
    word.text += c;
    r.at += 1;
  }
}

function readSingle(r: Reader, word: Word): void {
  const close = r.text.indexOf("'", r.at + 1);
  const to = close === -1 ? r.text.length : close;
  const inside = r.text.slice(r.at + 1, to);
  for (const { index, 0: whole, 1: name } of inside.matchAll(/\$\{(\w+)\}/g)) {
    const from = r.at + 1 + index;
    r.references.push({ name: name ?? "", from, to: from + whole.length, quotes: "single" });
  }
  word.text += inside;
  r.at = to + 1;
}

function readDouble(r: Reader, word: Word): void {
  r.at += 1;
  while (r.at < r.text.length) {
    const c = r.text.charAt(r.at);
    if (c === '"') break;
    if (c === "\\") {
      const next = r.text.charAt(r.at + 1);
      if (next !== "\n") word.text += '"\\$`'.includes(next) ? next : c + next;
      r.at += 2;
    } else if (c === "`") readBackticks(r, word);
    else if (c === "$") readDollar(r, word, "double");
    else {
      word.text += c;
      r.at += 1;
    }
  }
  r.at += 1;
}

function readBackticks(r: Reader, word: Word): void {
  word.known = false;
  r.at += 1;
  readCommands(r, "`");
  r.at += 1;
}

function readDollar(r: Reader, word: Word, quotes: "none" | "double"): void {
  const next = r.text.charAt(r.at + 1);
  if (next === "(") {
    word.known = false;
    r.at += 2;
    readCommands(r, ")");
    r.at += 1;
  } else if (next === "{") readBraces(r, word, quotes);
  else if (quotes === "none" && next === "'") {
    // In the quotes of `$'...'` a backslash hides the quote behind it.
    const { 0: whole, 1: inside } = /^\$'((?:[^'\\]|\\[\s\S])*)'?/.exec(r.text.slice(r.at)) ?? ["$'", ""];
    word.text += inside;
    if (inside?.includes("\\")) word.known = false;
    r.at += whole.length;
  } else {
    const name = /^\w+/.exec(r.text.slice(r.at + 1, r.at + 200))?.[0];
    if (name !== undefined) fill(r, word, name);
    else if (/[@*#?$!-]/.test(next)) word.known = false;
    else if (next !== '"') word.text += "$";
    r.at += 1 + (name?.length ?? 0);
  }
}

function readBraces(r: Reader, word: Word, quotes: "none" | "double"): void {
  const plain = /^\$\{(\w+)\}/.exec(r.text.slice(r.at, r.at + 200));
  if (plain !== null) {
    const name = plain[1] ?? "";
    const to = r.at + plain[0].length;
    r.references.push({ name, from: r.at, to, quotes });
    fill(r, word, name);
    r.at = to;
    return;
  }
  word.known = false;
  r.at += 2;
  // What stands behind an operator is read for the commands in it; its text is not the word's.
  const ignored: Word = { text: "", known: false };
  while (r.at < r.text.length && r.text.charAt(r.at) !== "}") {
    if (quotes === "double" && r.text.charAt(r.at) === "'") r.at += 1;
    else readPiece(r, ignored);
  }
  r.at += 1;
}

function fill({ variables }: Reader, word: Word, name: string): void {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined) word.known = false;
  else word.text += value;
}

/** Returns whether the next word is a file. */
function readRedirection(r: Reader): Redirection {
  const operator = /^(?:<<<|<<-?|&>>?|[<>]\(|>>|>\||[<>]&|<>|[<>]|&)/.exec(r.text.slice(r.at, r.at + 3))?.[0] ?? "";
  r.at += operator.length;
  if (operator.endsWith("(")) {
    readCommands(r, ")");
    r.at += 1;
    return "no";
  }
  if (operator === "<<" || operator === "<<-") {
    const written = /^[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s;&|()<>'"\\])+)/.exec(r.text.slice(r.at));
    if (written === null) return "no";
    r.at += written[0].length;
    r.heredocs.push({ delimiter: (written[1] ?? "").replace(/['"\\]/g, ""), tabs: operator === "<<-" });
    return "no";
  }
  // Another descriptor, no file.
  const duplicated = /[<>]&$/.test(operator) ? /^(?:\d+-?|-)/.exec(r.text.slice(r.at))?.[0] : undefined;
  r.at += duplicated?.length ?? 0;
  if (operator === "<<<" || duplicated !== undefined) return "no";
  return operator.startsWith("<") ? "from" : "to";
}

/** The bodies begin after the line that announced them. */
function skipHeredocs(r: Reader): void {
  for (const { delimiter, tabs } of r.heredocs.splice(0)) {
    let ended = false;
    while (!ended && r.at < r.text.length) {
      const newline = r.text.indexOf("\n", r.at);
      const to = newline === -1 ? r.text.length : newline;
      const line = r.text.slice(r.at, to);
      ended = (tabs ? line.replace(/^\t+/, "") : line) === delimiter;
      r.at = to + 1;
    }
  }
}
