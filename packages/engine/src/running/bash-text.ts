/** Turns bash text into the places where given variables are expanded outside quotes. It follows quoting and nesting, and runs nothing. */
import { type HereDocument, readHereDocument, skipHereDocuments } from "./here-documents.ts";

/** A stretch of the text, `to` not included. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Words after which another command begins, so that `case` and `((` there are what they look like. */
const OPENERS: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "time", "!", "{", "coproc"]);
const BLANK = /[ \t\r]/;
const WORD = /[^\s;&|()<>'"`\\$]+/y;
const NAME = /[A-Za-z_]\w*/y;
/** `${NAME}`, or with a plain operator. Where quotes, expansions or a tilde follow, quotes around it would change what those mean. */
const PLAIN_BRACES = /\$\{([A-Za-z_]\w*)[^'"\\$`{}~]*\}/y;

interface Reading {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  readonly found: Place[];
  /** Here-documents whose bodies begin after the line that is being read. */
  readonly announced: HereDocument[];
}

/** Bash forgets a backslash and the newline after it before it looks for names and operators. One that parts an operator is not followed. */
const CONTINUES_NAME = /(?:\\\n)+\w/y;
const PARTS_OPERATOR = /[$<>(]\\\n|\)\\\n\)/;

/** Thrown and caught in this file only. */
const LOST = new Error("This text cannot be followed to its end.");

/** The places, in order, where a variable of `names` is expanded outside quotes; `undefined` for text that cannot be followed to its end. */
export function findUnquoted(text: string, names: ReadonlySet<string>): readonly Place[] | undefined {
  if (PARTS_OPERATOR.test(text)) return undefined;
  const reading: Reading = { text, names, found: [], announced: [] };
  try {
    readCommands(reading, 0, false);
    return reading.found.sort((a, b) => a.from - b.from);
  } catch (lost) {
    if (lost === LOST) return undefined;
    throw lost;
  }
}

/** Reads commands from `at` to the end of the text, or to the parenthesis that closes them; returns where it stopped. */
function readCommands(reading: Reading, at: number, inParentheses: boolean): number {
  const { text } = reading;
  /** What is open: a parenthesis, or a `case`, whose patterns end with parentheses that nothing opened. */
  const open: ("(" | "case")[] = [];
  let atCommand = true;
  let atWord = true;
  while (at < text.length) {
    const c = text.charAt(at);
    const wordBegins: boolean = atWord;
    atWord = false;
    if (c === "\n") {
      at = skipHereDocuments(text, at + 1, reading.announced);
      atCommand = atWord = true;
    } else if (c === "\\" && text.charAt(at + 1) === "\n") {
      at += 2;
      atWord = wordBegins;
    } else if (BLANK.test(c)) {
      at += 1;
      atWord = true;
    } else if (c === "#" && wordBegins) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
    } else if (c === ";" || c === "&" || c === "|") {
      at += 1;
      atCommand = atWord = true;
    } else if (c === "(") {
      const end = atCommand && text.charAt(at + 1) === "(" ? endOfArithmetic(text, at + 2) : undefined;
      if (end === undefined) open.push("(");
      at = end ?? at + 1;
      atCommand = atWord = true;
    } else if (c === ")") {
      const innermost = open.at(-1);
      if (innermost === undefined && inParentheses) return at + 1;
      if (innermost === undefined) throw LOST;
      if (innermost === "(") open.pop();
      at += 1;
      atCommand = atWord = true;
    } else if (c === "<" || c === ">") {
      at = readRedirection(reading, at);
      atWord = true;
    } else {
      const word = wordBegins ? match(WORD, text, at) : undefined;
      if (word === undefined) {
        at = readPiece(reading, at);
        atCommand = false;
        continue;
      }
      at += word.length;
      const next = text.charAt(at);
      const whole = at >= text.length || /[\s;&|()<>]/.test(next);
      if (atCommand && whole && word === "case" && next !== ")" && next !== "|") open.push("case");
      if (atCommand && whole && word === "esac" && open.at(-1) === "case") open.pop();
      // After `in` the patterns of a case begin, where `esac` may stand at once.
      atCommand = whole && ((atCommand && OPENERS.has(word)) || (word === "in" && open.at(-1) === "case"));
    }
  }
  if (inParentheses || open.length > 0) throw LOST;
  return at;
}

/** Reads one character, quotation or expansion of a word that stands outside quotes. */
function readPiece(reading: Reading, at: number): number {
  const { text } = reading;
  switch (text.charAt(at)) {
    case "\\":
      return at + 2;
    case "'":
      return after(text, "'", at + 1);
    case '"':
      return readDoubleQuotes(reading, at + 1);
    case "`":
      return readBackticks(reading, at);
    case "$":
      if (text.charAt(at + 1) === "'") return skipAnsiQuotes(text, at + 2);
      return readExpansion(reading, at, true);
    default:
      return at + 1;
  }
}

function readDoubleQuotes(reading: Reading, at: number): number {
  const { text } = reading;
  while (at < text.length) {
    const c = text.charAt(at);
    if (c === '"') return at + 1;
    if (c === "\\") at += 2;
    else if (c === "`") at = readBackticks(reading, at);
    else if (c === "$") at = readExpansion(reading, at, false);
    else at += 1;
  }
  throw LOST;
}

/** Reads what a `$` begins. `unquoted`: do the variables in it stand outside quotes? */
function readExpansion(reading: Reading, at: number, unquoted: boolean): number {
  const { text, names, found } = reading;
  const next = text.charAt(at + 1);
  if (next === "(") {
    const end = text.charAt(at + 2) === "(" ? endOfArithmetic(text, at + 3) : undefined;
    return end ?? readCommands(reading, at + 2, true);
  }
  if (next === "{") return readBraces(reading, at, unquoted);
  const name = match(NAME, text, at + 1);
  if (name === undefined) return at + (next !== "" && "$#@*?!-0123456789".includes(next) ? 2 : 1);
  const to = at + 1 + name.length;
  if (unquoted && names.has(name) && match(CONTINUES_NAME, text, to) === undefined) found.push({ from: at, to });
  return to;
}

function readBraces(reading: Reading, from: number, unquoted: boolean): number {
  const { text, names, found } = reading;
  PLAIN_BRACES.lastIndex = from;
  const plain = PLAIN_BRACES.exec(text);
  if (plain !== null) {
    const to = from + plain[0].length;
    if (unquoted && names.has(plain[1] ?? "")) found.push({ from, to });
    return to;
  }
  let at = from + 2;
  while (at < text.length) {
    const c = text.charAt(at);
    if (c === "}") return at + 1;
    if (c === "$" && text.charAt(at + 1) !== "'") at = readExpansion(reading, at, unquoted);
    // Whether a single quote quotes here, inside double quotes, depends on the operator.
    else if (c === "'" && !unquoted) throw LOST;
    else at = readPiece(reading, at);
  }
  throw LOST;
}

/** Old-style substitution ends at the next bare backtick, whatever quotes are inside. With escapes inside it is left to the shell. */
function readBackticks(reading: Reading, from: number): number {
  const { text, names, found } = reading;
  let to = from + 1;
  while (to < text.length && text.charAt(to) !== "`") to += text.charAt(to) === "\\" ? 2 : 1;
  if (to >= text.length) throw LOST;
  const inside = text.slice(from + 1, to);
  const places = inside.includes("\\") ? [] : (findUnquoted(inside, names) ?? []);
  for (const place of places) found.push({ from: place.from + from + 1, to: place.to + from + 1 });
  return to + 1;
}

/**
 * Where arithmetic ends whose two parentheses end before `at`: it holds numbers, not words, and is skipped. `undefined` where its parentheses do
 * not close together: then they are a subshell inside something else, as bash decides, too.
 */
function endOfArithmetic(text: string, at: number): number | undefined {
  let depth = 0;
  while (at < text.length) {
    const c = text.charAt(at);
    if (c === "'" || c === '"') {
      const close = text.indexOf(c, at + 1);
      if (close === -1) return undefined;
      at = close;
    }
    if (c === "(") depth += 1;
    if (c === ")") {
      if (depth === 0) return text.charAt(at + 1) === ")" ? at + 2 : undefined;
      depth -= 1;
    }
    at += c === "\\" ? 2 : 1;
  }
  return undefined;
}

function skipAnsiQuotes(text: string, at: number): number {
  while (at < text.length && text.charAt(at) !== "'") at += text.charAt(at) === "\\" ? 2 : 1;
  if (at >= text.length) throw LOST;
  return at + 1;
}

function readRedirection({ text, announced }: Reading, at: number): number {
  if (text.startsWith("<<<", at)) return at + 3;
  if (!text.startsWith("<<", at)) return at + 1;
  const read = readHereDocument(text, at + 2);
  if (read === undefined) throw LOST;
  announced.push(read.document);
  return read.end;
}

function after(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at);
  if (end === -1) throw LOST;
  return end + 1;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
