/** Turns the text of a shell command into the simple commands that a POSIX shell or bash would run, wherever they hide in it. */

/** One word as the shell would pass it on: quotes removed, expansions kept as written. `bare` is the length before the first quote. */
export interface ShellWord {
  readonly text: string;
  readonly bare: number;
}

/** One simple command. `writes` is true when its output goes to a file; `scripts` are here-documents fed to it, `from` the command whose output is. */
export interface ScannedCommand {
  readonly words: readonly ShellWord[];
  readonly writes: boolean;
  readonly scripts: readonly string[];
  readonly from?: ScannedCommand | undefined;
}

const MAX_DEPTH = 40;
const MAX_CHARS = 100_000;

/** Sticky, and made once: they run at every word. */
const BLANK = /[ \t\r]|\\\n/y;
const REDIRECTION = /\d*(?:<<<|<<-?|<>|<&|>>|>\||>&|[<>](?!\())|&>>?/y;
const ANSI_QUOTED = /\$'((?:[^'\\]|\\[\s\S])*)'/y;
const BACKTICKS = /`((?:[^`\\]|\\[\s\S])*)`/y;
const SUM = /\$\(\((?:[\w\s+\-*/%<>=!&|^~?:,]|\$\w+)*\)\)/y;

/** `undefined` when the text is not complete shell (an open quote or bracket) or nested beyond reason. */
export function scanShell(source: string): readonly ScannedCommand[] | undefined {
  if (source.length > MAX_CHARS) return undefined;
  const commands: ScannedCommand[] = [];
  return new Scanner(source, commands, 0).all() ? commands : undefined;
}

interface Building {
  words: ShellWord[];
  writes: boolean;
  scripts: string[];
  from?: ScannedCommand | undefined;
}
interface HereDocument {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly tabs: boolean;
  readonly command: Building;
}

/** A cursor over one text. A class because every method moves the same cursor; every method returns false when the text ends too early. */
class Scanner {
  readonly source: string;
  readonly commands: ScannedCommand[];
  depth: number;
  at = 0;
  #here: HereDocument[] = [];

  constructor(source: string, commands: ScannedCommand[], depth: number) {
    this.source = source;
    this.commands = commands;
    this.depth = depth;
  }

  all(): boolean {
    while (this.at < this.source.length) {
      if (!this.list()) return false;
      // A closing bracket that nothing opened: the shell refuses it, and what follows is looked at all the same.
      if (this.source[this.at] === ")") this.at++;
    }
    return this.#here.length === 0;
  }

  /** Commands up to a `)` of this level (not consumed) or the end of the text. */
  list(): boolean {
    let building: Building = { words: [], writes: false, scripts: [] };
    let cases = 0;
    const end = (pipes = false): void => {
      const { words, opened } = withoutGrammar(building.words);
      cases = Math.max(0, cases + opened);
      building.words = words;
      if (words.length > 0 || building.writes) this.commands.push(building);
      building = { words: [], writes: false, scripts: [], ...(pipes ? { from: words.length > 0 ? building : this.commands.at(-1) } : {}) };
    };
    while (this.at < this.source.length) {
      const c = this.source[this.at];
      if (this.#blank()) continue;
      if (c === "\n") {
        this.at++;
        end();
        if (!this.#hereDocuments()) return false;
      } else if (c === "#") {
        while (this.at < this.source.length && this.source[this.at] !== "\n") this.at++;
      } else if (c === ";" || c === "|" || (c === "&" && this.source[this.at + 1] !== ">")) {
        this.at++;
        const next = this.source[this.at];
        end(c === "|" && next !== "|");
        // `||` and `|&` are one sign.
        if (c === "|" && (next === "|" || next === "&")) this.at++;
      } else if (c === ")") {
        end();
        // In `case x in a) ...` the bracket ends a pattern, not this level.
        if (cases === 0) return true;
        this.at++;
      } else if (c === "(") {
        // After a word it begins a function: its body is commands of their own.
        if (building.words.length > 0) end();
        if (!this.#bracket(1)) return false;
      } else if (!this.#wordOrRedirection(building)) return false;
    }
    end();
    return true;
  }

  /** A list in brackets, which begins `skip` characters ahead. */
  #bracket(skip: number): boolean {
    if (++this.depth > MAX_DEPTH) return false;
    this.at += skip;
    if (!this.list() || this.source[this.at] !== ")") return false;
    this.at++;
    this.depth--;
    return true;
  }

  /** Steps over a blank, or over a line end that a backslash joins; false when there is none. */
  #blank(): boolean {
    return this.#take(BLANK) !== undefined;
  }

  /** What the sticky pattern finds here, and the cursor behind it. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source) ?? undefined;
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  #wordOrRedirection(building: Building): boolean {
    const op = this.#take(REDIRECTION)?.[0];
    if (op === undefined) {
      const word = this.#word();
      if (word) building.words.push(word);
      return word !== undefined;
    }
    while (this.#blank());
    const target = this.#word();
    if (!target) return false;
    const sign = op.replace(/^\d+/, "");
    if (sign === "<<" || sign === "<<-") {
      const quoted = target.bare < target.text.length || target.text === "";
      this.#here.push({ delimiter: target.text, quoted, tabs: sign === "<<-", command: building });
    } else if (sign === "<<<") building.scripts.push(target.text);
    else if (sign.includes(">") && !harmless(sign, target.text)) building.writes = true;
    return true;
  }

  /** One word. Ends before a blank or an operator; `undefined` when a quote or bracket in it stays open. */
  #word(): ShellWord | undefined {
    let text = "";
    let bare = -1;
    const quoted = (): void => {
      if (bare < 0) bare = text.length;
    };
    const start = this.at;
    while (this.at < this.source.length) {
      const c = this.source[this.at] ?? "";
      const next = this.source[this.at + 1];
      if ((c === "<" || c === ">") && next === "(") {
        if (!this.#bracket(2)) return undefined;
        text += `${c}(...)`;
      } else if (/[\s;&|<>()]/.test(c)) break;
      else if (c === "\\") {
        // A backslash before a line end joins the lines.
        if (next !== "\n") {
          quoted();
          text += next ?? "";
        }
        this.at += 2;
      } else if (c === "'" || (c === "$" && next === "'")) {
        quoted();
        const piece = c === "'" ? this.#single() : this.#ansi();
        if (piece === undefined) return undefined;
        text += piece;
      } else if (c === '"' || (c === "$" && next === '"')) {
        quoted();
        if (c === "$") this.at++;
        const piece = this.#double();
        if (piece === undefined) return undefined;
        text += piece;
      } else if (c === "$" || c === "`") {
        const piece = this.#expansion();
        if (piece === undefined) return undefined;
        text += piece;
      } else {
        text += c;
        this.at++;
      }
    }
    if (this.at === start) return undefined;
    return { text, bare: bare < 0 ? text.length : bare };
  }

  #single(): string | undefined {
    const close = this.source.indexOf("'", this.at + 1);
    if (close < 0) return undefined;
    const text = this.source.slice(this.at + 1, close);
    this.at = close + 1;
    return text;
  }

  #ansi(): string | undefined {
    const match = this.#take(ANSI_QUOTED);
    return match && unescaped(match[1] ?? "");
  }

  #double(): string | undefined {
    let text = "";
    this.at++;
    while (this.at < this.source.length) {
      const c = this.source[this.at] ?? "";
      const next = this.source[this.at + 1] ?? "";
      if (c === '"') {
        this.at++;
        return text;
      }
      if (c === "\\") {
        text += next === "\n" ? "" : '"\\$`'.includes(next) ? next : c + next;
        this.at += 2;
      } else if (c === "$" || c === "`") {
        const piece = this.#expansion();
        if (piece === undefined) return undefined;
        text += piece;
      } else {
        text += c;
        this.at++;
      }
    }
    return undefined;
  }

  /** At `$` or a backtick. What runs inside becomes commands of its own; the word keeps a mark that no rule equals. */
  #expansion(): string | undefined {
    if (this.source.startsWith("`", this.at)) {
      const match = this.#take(BACKTICKS);
      if (!match || this.depth >= MAX_DEPTH) return undefined;
      return new Scanner((match[1] ?? "").replace(/\\([\\`$])/g, "$1"), this.commands, this.depth + 1).all() ? "$(...)" : undefined;
    }
    if (this.source.startsWith("$(", this.at)) {
      const sum = this.#take(SUM)?.[0];
      return sum ?? (this.#bracket(2) ? "$(...)" : undefined);
    }
    if (this.source.startsWith("${", this.at)) return this.#braces();
    this.at++;
    return "$";
  }

  #braces(): string | undefined {
    if (++this.depth > MAX_DEPTH) return undefined;
    let text = "${";
    this.at += 2;
    while (this.at < this.source.length) {
      const c = this.source[this.at] ?? "";
      if (c === "}") {
        this.at++;
        this.depth--;
        return `${text}}`;
      }
      const piece = c === "$" || c === "`" ? this.#expansion() : c === '"' ? this.#double() : c === "'" ? this.#single() : c;
      if (piece === undefined) return undefined;
      if (piece === c && c !== "$") this.at++;
      if (c === "\\") {
        text += this.source[this.at] ?? "";
        this.at++;
      } else text += piece;
    }
    return undefined;
  }

  #hereDocuments(): boolean {
    for (const document of this.#here.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.at >= this.source.length) return false;
        const close = this.source.indexOf("\n", this.at);
        const line = this.source.slice(this.at, close < 0 ? undefined : close);
        this.at = close < 0 ? this.source.length : close + 1;
        if ((document.tabs ? line.replace(/^\t+/, "") : line) === document.delimiter) break;
        lines.push(line);
      }
      const body = lines.join("\n");
      document.command.scripts.push(body);
      if (!document.quoted && !new Scanner(body, this.commands, this.depth + 1).text()) return false;
    }
    return true;
  }

  /** A text in which only expansions run, such as the body of a here-document. */
  text(): boolean {
    if (this.depth > MAX_DEPTH) return false;
    while (this.at < this.source.length) {
      const c = this.source[this.at];
      if (c === "\\") this.at += 2;
      else if (c !== "$" && c !== "`") this.at++;
      else if (this.#expansion() === undefined) return false;
    }
    return true;
  }
}

/** Words of the shell's grammar: what follows them is a command. */
const LEADING = new Set(["if", "then", "elif", "else", "do", "while", "until", "!", "{", "time", "coproc", "}", "fi", "done", "esac"]);

/** A command without the grammar around it; `opened` counts `case` and `esac`. The header of a `for` runs nothing by itself. */
function withoutGrammar(words: readonly ShellWord[]): { readonly words: ShellWord[]; readonly opened: number } {
  let opened = 0;
  let from = 0;
  for (; from < words.length; from++) {
    const word = words[from];
    if (!word || word.bare < word.text.length) break;
    if (word.text === "esac") opened--;
    if (word.text === "time") while (/^(-p|--)$/.test(words[from + 1]?.text ?? "")) from++;
    if (word.text === "function") from++;
    else if (!LEADING.has(word.text)) break;
  }
  const first = words[from];
  const isBare = first?.bare === first?.text.length;
  if (isBare && first?.text === "case") opened++;
  if (isBare && (first?.text === "for" || first?.text === "select")) return { words: [], opened };
  return { words: words.slice(from), opened };
}

const harmless = (sign: string, target: string): boolean => target === "/dev/null" || (sign === ">&" && /^(\d+|-)$/.test(target));

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", v: "\v" };
const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([\s\S]))/g, (_, hex, unicode, octal, char) => {
    if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return ESCAPES[char] ?? char;
  });
