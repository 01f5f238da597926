/** Tells of a command whether the binary's own quoting breaks it. Source: the study of the binary, 1.7 stage B and BUG-17. */

const HOLDS_PROJECT = ["$GEMINI_PROJECT_DIR", "$CLAUDE_PROJECT_DIR"];
/** What the binary inserts without quotes of its own. */
const PLAIN = /^[\w@%+=:,./-]*$/;

/** One of the dialect's variables stands inside quotes, and its value is one that the binary puts quotes around. */
export function isQuotedTwice(command: string, projectDir: string, cwd: string): boolean {
  const risky = [...(PLAIN.test(projectDir) ? [] : HOLDS_PROJECT), ...(PLAIN.test(cwd) ? [] : ["$GEMINI_CWD"])];
  return risky.length > 0 && quotedParts(command).some((part) => risky.some((variable) => part.includes(variable)));
}

/** The texts inside single and double quotes. */
function quotedParts(command: string): readonly string[] {
  const parts: string[] = [];
  let quote: string | undefined;
  let part = "";
  for (let i = 0; i < command.length; i++) {
    const char = command.charAt(i);
    if (char === "\\" && quote !== "'") i++;
    else if (quote === undefined) quote = char === '"' || char === "'" ? char : undefined;
    else if (char === quote) {
      parts.push(part);
      [quote, part] = [undefined, ""];
    } else part += char;
  }
  return parts;
}
