// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders here are those of the shells.
import { describe, expect, it } from "vitest";
import { commandLine } from "../../src/running/index.ts";
import { powerShellText } from "../../src/running/powershell.ts";

const NAMES = ["GEMINI_PROJECT_DIR"];
const passOn = "\nif ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }";

describe("a command line", () => {
  it("for bash hands over the text as one argument, and shows it as written", () => {
    const command = "$GEMINI_PROJECT_DIR/x.sh 'a b'";
    expect(commandLine({ kind: "shell", command }, "darwin", {}, NAMES)).toEqual({
      file: "bash",
      args: ["--norc", "--noprofile", "-p", "-c", "\"$GEMINI_PROJECT_DIR\"/x.sh 'a b'"],
      shown: command,
    });
  });

  it("for a program fills in the own variables that are in braces, and nothing else", () => {
    const args = ["${GEMINI_PROJECT_DIR}/a b", "$GEMINI_PROJECT_DIR", "${HOME}", "*", "~", "${__proto__}"];
    expect(
      commandLine(
        { kind: "exec", file: "${GEMINI_PROJECT_DIR}/run", args },
        "linux",
        { GEMINI_PROJECT_DIR: "/$HOME/$&", HOME: "/h" },
        NAMES,
      ),
    ).toEqual({
      file: "/$HOME/$&/run",
      args: ["/$HOME/$&/a b", "$GEMINI_PROJECT_DIR", "${HOME}", "*", "~", "${__proto__}"],
      shown: "${GEMINI_PROJECT_DIR}/run ${GEMINI_PROJECT_DIR}/a b $GEMINI_PROJECT_DIR ${HOME} * ~ ${__proto__}",
    });
  });

  it.each([
    [
      { ComSpec: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\PowerShell.EXE" },
      true,
      "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\PowerShell.EXE",
      ["-NoProfile", "-NonInteractive", "-Command"],
    ],
    [{ COMSPEC: "C:\\pwsh.exe" }, false, "C:\\pwsh.exe", ["-NoProfile", "-NonInteractive", "-Command"]],
    [{ ComSpec: "C:\\Windows\\system32\\cmd.exe" }, true, "pwsh.exe", ["-NoProfile", "-Command"]],
    [{ ComSpec: "C:\\Windows\\system32\\cmd.exe" }, false, "powershell.exe", ["-NoProfile", "-NonInteractive", "-Command"]],
    [{}, false, "powershell.exe", ["-NoProfile", "-NonInteractive", "-Command"]],
  ] as [Record<string, string>, boolean, string, string[]][])(
    "on Windows is PowerShell's, never cmd.exe's: %j, pwsh installed %s",
    (env, installed, file, options) => {
      expect(commandLine({ kind: "shell", command: "x" }, "win32", env, NAMES, () => installed)).toEqual({
        file,
        args: [...options, `x${passOn}`],
        shown: "x",
      });
    },
  );
});

describe("text for PowerShell", () => {
  it.each([
    ["node $GEMINI_PROJECT_DIR/x.js", "node ${env:GEMINI_PROJECT_DIR}/x.js"],
    ["node ${GEMINI_PROJECT_DIR}\\x.js", "node ${env:GEMINI_PROJECT_DIR}\\x.js"],
    ['node "$GEMINI_PROJECT_DIR/a b.js"', 'node "${env:GEMINI_PROJECT_DIR}/a b.js"'],
    ["$GEMINI_PROJECT_DIR/hooks/x.ps1 -All", '& "${env:GEMINI_PROJECT_DIR}/hooks/x.ps1" -All'],
    [
      "a; $GEMINI_PROJECT_DIR\\x.exe && $GEMINI_PROJECT_DIR/y",
      'a; & "${env:GEMINI_PROJECT_DIR}\\x.exe" && & "${env:GEMINI_PROJECT_DIR}/y"',
    ],
    ["& $GEMINI_PROJECT_DIR/x.ps1", "& ${env:GEMINI_PROJECT_DIR}/x.ps1"],
    ["$GEMINI_PROJECT_DIR + 'x'", "${env:GEMINI_PROJECT_DIR} + 'x'"],
    [
      "echo '$GEMINI_PROJECT_DIR' 'it''s' `$GEMINI_PROJECT_DIR # $GEMINI_PROJECT_DIR",
      "echo '$GEMINI_PROJECT_DIR' 'it''s' `$GEMINI_PROJECT_DIR # $GEMINI_PROJECT_DIR",
    ],
    [
      "<# $GEMINI_PROJECT_DIR #> $GEMINI_PROJECT_DIRX $env:GEMINI_PROJECT_DIR",
      "<# $GEMINI_PROJECT_DIR #> $GEMINI_PROJECT_DIRX $env:GEMINI_PROJECT_DIR",
    ],
    ['echo "it\'s $GEMINI_PROJECT_DIR" `"', 'echo "it\'s ${env:GEMINI_PROJECT_DIR}" `"'],
  ])("names the own variables as environment variables: %j", (command, text) => {
    expect(powerShellText(command, NAMES)).toBe(text + passOn);
  });
});
