/** Turns a command into what PowerShell must be given: which program, and text that names the dialect's variables its way. */

/**
 * Which PowerShell runs hooks: the one that ComSpec names, else `pwsh.exe` where installed, else Windows PowerShell. cmd.exe never does.
 * Source: the study of Gemini CLI, EXE-1.
 */
export function choosePowerShell(
  env: Readonly<Record<string, string>>,
  isInstalled: (program: string) => boolean,
): { readonly file: string; readonly args: readonly string[] } {
  const comSpec = Object.entries(env).find(([name]) => name.toUpperCase() === "COMSPEC")?.[1];
  if (comSpec !== undefined && /(?:powershell|pwsh)\.exe$/i.test(comSpec)) {
    return { file: comSpec, args: ["-NoProfile", "-NonInteractive", "-Command"] };
  }
  if (isInstalled("pwsh.exe")) return { file: "pwsh.exe", args: ["-NoProfile", "-Command"] };
  return { file: "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command"] };
}

/** A newline, since after `;` a comment at the end of the command would swallow it. */
const PASS_EXIT_CODE = "\nif ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }";

/** What is copied as it stands: an escaped character, a literal string, a comment. */
const INERT = /`[\s\S]|'(?:[^']|'')*'|<#[\s\S]*?#>|(?<=^|[\s;(){}|&])#[^\n]*/y;
const INERT_IN_QUOTES = /`[\s\S]/y;
const REST_OF_PATH = /[\\/][^\s;|&(){}'"`,$]*/y;

/**
 * The text for `-Command`. The dialect's own variables become environment variables, `$NAME` and `${NAME}` alike: `${env:NAME}`, which
 * PowerShell never splits. A statement that begins with a path under one is called (`& "..."`) rather than read as an expression.
 * In single quotes, in comments and after a backtick nothing is changed; in double quotes the variable is still meant, since PowerShell
 * knows it by no other name. The program's exit code becomes that of the shell. Source: the study of Gemini CLI, EXE-2 and section 1.7.
 */
export function powerShellText(command: string, variables: readonly string[]): string {
  return withEnvironmentVariables(command, variables) + PASS_EXIT_CODE;
}

function withEnvironmentVariables(command: string, variables: readonly string[]): string {
  if (variables.length === 0) return command;
  const name = `(?:${variables.join("|")})`;
  const own = new RegExp(`\\$(?:\\{(${name})\\}|(${name})(?!\\w))`, "y");
  let text = "";
  let at = 0;
  let quoted = false;
  let beginsStatement = true;
  while (at < command.length) {
    const inert = matchAt(quoted ? INERT_IN_QUOTES : INERT, command, at)?.[0];
    const found = inert === undefined ? matchAt(own, command, at) : undefined;
    if (found !== undefined) {
      const reference = `\${env:${found[1] ?? found[2]}}`;
      at += found[0].length;
      const path = beginsStatement && !quoted ? matchAt(REST_OF_PATH, command, at)?.[0] : undefined;
      text += path === undefined ? reference : `& "${reference}${path}"`;
      at += path?.length ?? 0;
      beginsStatement = false;
      continue;
    }
    const piece = inert ?? command.charAt(at);
    if (piece === '"') quoted = !quoted;
    if (/^[;|{}(\n]$/.test(piece) || (piece === "&" && text.endsWith("&"))) beginsStatement = true;
    else if (/\S/.test(piece)) beginsStatement = false;
    text += piece;
    at += piece.length;
  }
  return text;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
