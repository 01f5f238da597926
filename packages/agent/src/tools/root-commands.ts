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

/** Split at `;`, `&`, `|`, newlines and the borders of substitutions, outside quotes. */
function simpleCommands(command: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  const cut = (): void => {
    parts.push(part);
    part = "";
  };
  for (let i = 0; i < command.length; i += 1) {
    const char = command[i] ?? "";
    const opensSubstitution = char === "`" || (char === "$" && command[i + 1] === "(");
    if (quote === "'") {
      if (char === "'") quote = "";
      part += char;
    } else if (char === "\\") {
      part += char + (command[i + 1] ?? "");
      i += 1;
    } else if (opensSubstitution) {
      cut();
      if (char === "$") i += 1;
    } else if (quote === '"') {
      if (char === '"') quote = "";
      part += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      part += char;
    } else if ((char === "&" && (command[i - 1] === ">" || command[i + 1] === ">")) || (char === "|" && command[i - 1] === ">")) {
      part += char;
    } else if (";&|\n()".includes(char)) {
      cut();
    } else {
      part += char;
    }
  }
  cut();
  return parts;
}
