/** Turns a shell command into the names of the programs that it starts, as far as reading can tell. */

/**
 * The first word of every simple command: `cd x && FOO=1 git log | head` gives `cd`, `git`, `head`; what stands in `$(...)` and backquotes
 * counts too. For people and for suggestions only: it is not a parser of bash, and nothing may be allowed because of it.
 */
export function rootCommands(command: string): readonly string[] {
  const found: string[] = [];
  for (const simple of simpleCommands(command)) {
    const words = simple.trim().split(/\s+/);
    const first = words.find((word) => !ASSIGNMENT.test(word) && !KEYWORDS.has(word));
    const name = first
      ?.replace(/^["'({]+|["')}]+$/g, "")
      .split("/")
      .at(-1);
    if (name !== undefined && name !== "" && !found.includes(name)) found.push(name);
  }
  return found;
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const KEYWORDS: ReadonlySet<string> = new Set([
  "",
  "!",
  "{",
  "}",
  "(",
  ")",
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "time",
]);

interface Frame {
  readonly start: number;
  readonly part: string;
  readonly quote: string;
  readonly closer: string;
  /** Stands for what was left, so that the word after it is not taken for the first. */
  readonly leaves: string;
}

/** Split at `;`, `&`, `|` and newlines outside quotes. A substitution is split by itself, and what surrounds it goes on after it. */
function simpleCommands(command: string): readonly string[] {
  const parts: { readonly start: number; readonly text: string }[] = [];
  const outer: Frame[] = [];
  let [start, part, quote, closer] = [0, "", "", ""];
  const cut = (at: number): void => {
    parts.push({ start, text: part });
    [start, part] = [at + 1, ""];
  };
  const enter = (at: number, closes: string, leaves: string): void => {
    outer.push({ start, part, quote, closer, leaves });
    [start, part, quote, closer] = [at + 1, "", "", closes];
  };
  const leave = (at: number): void => {
    cut(at);
    const frame = outer.pop();
    if (frame === undefined) return;
    ({ start, quote, closer } = frame);
    part = frame.part + frame.leaves;
  };
  for (let i = 0; i < command.length; i += 1) {
    const char = command[i] ?? "";
    const next = command[i + 1] ?? "";
    const isRedirection = (char === "&" && (command[i - 1] === ">" || next === ">")) || (char === "|" && command[i - 1] === ">");
    if (quote === "'") {
      if (char === "'") quote = "";
      part += char;
    } else if (char === "\\") {
      part += char + next;
      i += 1;
    } else if (char === "$" && next === "(") {
      i += 1;
      enter(i, ")", "$");
    } else if (char === "`") {
      if (closer === "`") leave(i);
      else enter(i, "`", "$");
    } else if (quote === '"' || char === '"' || char === "'") {
      if (quote === "") quote = char;
      else if (char === quote) quote = "";
      part += char;
    } else if (char === "(") {
      cut(i);
      enter(i, ")", "");
    } else if (char === ")" && closer === ")") {
      leave(i);
    } else if (!isRedirection && ";&|\n)".includes(char)) {
      cut(i);
    } else {
      part += char;
    }
  }
  // What is left open at the end counts as closed there.
  while (outer.length > 0) leave(command.length);
  cut(command.length);
  return parts.toSorted((a, b) => a.start - b.start).map(({ text }) => text);
}
