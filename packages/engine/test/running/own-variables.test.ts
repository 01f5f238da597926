// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders here are those of the shells.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine, runProcess } from "../../src/running/index.ts";
import { quoteOwnVariables } from "../../src/running/own-variables.ts";
import { bash, plainEnv } from "./orders.ts";

const NAMES = ["GEMINI_PROJECT_DIR", "GEMINI_CWD"];
const dir = mkdtempSync(join(tmpdir(), "carabiner-words-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the dialect's own variables in a bash command", () => {
  it.each([
    ["$GEMINI_PROJECT_DIR/.gemini/hooks/x.sh --all", '"$GEMINI_PROJECT_DIR"/.gemini/hooks/x.sh --all'],
    ["cd ${GEMINI_CWD} && ls", 'cd "${GEMINI_CWD}" && ls'],
    ["a=$GEMINI_CWD; b=${GEMINI_CWD%/*}", 'a="$GEMINI_CWD"; b="${GEMINI_CWD%/*}"'],
    ['x="$(cat $GEMINI_CWD/f)"', 'x="$(cat "$GEMINI_CWD"/f)"'],
    ["echo `cat $GEMINI_CWD/f`", 'echo `cat "$GEMINI_CWD"/f`'],
    ["cat ${F:-$GEMINI_CWD/f}", 'cat ${F:-"$GEMINI_CWD"/f}'],
    ["cat <<< $GEMINI_CWD", 'cat <<< "$GEMINI_CWD"'],
    ["[[ $f == $GEMINI_CWD/* ]]", '[[ $f == "$GEMINI_CWD"/* ]]'],
    ["echo it\\'s $GEMINI_CWD", 'echo it\\\'s "$GEMINI_CWD"'],
    ["x \\\n# don't\ncat $GEMINI_CWD/f", 'x \\\n# don\'t\ncat "$GEMINI_CWD"/f'],
    ["cat \\\n  $GEMINI_CWD\\\n/f", 'cat \\\n  "$GEMINI_CWD"\\\n/f'],
    ["# don't\ncat $GEMINI_CWD/f", '# don\'t\ncat "$GEMINI_CWD"/f'],
    ["(( x = 1 << 2 ))\ncat $GEMINI_CWD", '(( x = 1 << 2 ))\ncat "$GEMINI_CWD"'],
    [
      "cat <<A <<-'B C'\n$GEMINI_CWD '\nA\n\t$GEMINI_CWD\n\tB C\ncat $GEMINI_CWD",
      "cat <<A <<-'B C'\n$GEMINI_CWD '\nA\n\t$GEMINI_CWD\n\tB C\ncat \"$GEMINI_CWD\"",
    ],
    ['x="$(case a in a) echo "q $GEMINI_CWD";; esac)" $GEMINI_CWD', 'x="$(case a in a) echo "q $GEMINI_CWD";; esac)" "$GEMINI_CWD"'],
  ])("are put in quotes where they stand outside them: %j", (command, quoted) => {
    expect(quoteOwnVariables(command, NAMES)).toBe(quoted);
  });

  it.each([
    "$GEMINI_CWDX ${GEMINI_CWDX} $HOME $1 $$GEMINI_CWD \\$GEMINI_CWD",
    "$GEMINI_CWD\\\nX $GEMINI_CWD\\\n\\\n2",
    "cat <\\\n<E\n$GEMINI_CWD\nE",
    "echo '$GEMINI_CWD' \"$GEMINI_CWD\" \"${GEMINI_CWD}/x\" $'\\'$GEMINI_CWD'",
    'echo "a \\" $GEMINI_CWD ${x:-$GEMINI_CWD}"',
    "echo ${#GEMINI_CWD} $(( $GEMINI_CWD + 1 ))",
    "true # $GEMINI_CWD",
    "echo 'open $GEMINI_CWD",
    'echo "open $(cat $GEMINI_CWD',
    "echo $GEMINI_CWD )",
    "echo `echo \\`cat $GEMINI_CWD\\``",
  ])("and left alone everywhere else: %j", (command) => {
    expect(quoteOwnVariables(command, NAMES)).toBe(command);
  });

  it("in the documented form start a hook in a directory of any name, with every argument whole", async () => {
    const named = fc
      .string({
        unit: fc.constantFrom(
          "a",
          " ",
          "'",
          '"',
          "\n",
          "$",
          "(",
          ")",
          "`",
          ";",
          "&",
          "|",
          "*",
          "?",
          "[",
          "\\",
          "~",
          "#",
          "!",
          "<",
          "é",
          "😀",
        ),
        minLength: 1,
        maxLength: 20,
      })
      .filter((name) => name !== "." && name !== "..");
    await fc.assert(
      fc.asyncProperty(fc.oneof(named, fc.constantFrom("$(touch pwned)", "; exit 7 #", "a b", "-n", "$HOME", "%s\n\n")), async (name) => {
        const root = join(dir, name);
        mkdirSync(root, { recursive: true });
        writeFileSync(join(root, "hook.sh"), 'printf "%s\\0" "$#" "$@"\n');
        const env = { ...plainEnv, GEMINI_PROJECT_DIR: root };
        const command =
          "bash $GEMINI_PROJECT_DIR/hook.sh $GEMINI_PROJECT_DIR/x ${GEMINI_PROJECT_DIR} \"$GEMINI_PROJECT_DIR\"y $(printf '%s' $GEMINI_PROJECT_DIR | wc -c)";
        const end = await runProcess(bash("", { line: commandLine({ kind: "shell", command }, "linux", env, NAMES), env, cwd: dir }));
        expect(end.stdout.split("\0").map((part) => part.trimStart())).toEqual(
          ["4", `${root}/x`, root, `${root}y`, String(Buffer.byteLength(root)), ""].map((part) => part.trimStart()),
        );
        rmSync(root, { recursive: true });
      }),
      { numRuns: 40, interruptAfterTimeLimit: 6_000 },
    );
  });

  // The oracle is a bash that splits nothing at all. Bash rightly splits what an unquoted `$(...)` prints, so these stand in double quotes here.
  it("behave, with blanks in their values, like variables that bash never splits, and everything around them as before", () => {
    fc.assert(
      fc.property(commands, (command) => {
        const quoted = quoteOwnVariables(command, NAMES);
        fc.pre(quoted !== command);
        expect(outcome(quoted, "/a  b")).toEqual(outcome(`IFS=; set -f\n${command}`, "/a  b"));
      }),
      { numRuns: 100, maxSkipsPerRun: 50, interruptAfterTimeLimit: 6_000 },
    );
  });

  it("change nothing in text of any shape, well formed or not, for values that need no quotes", () => {
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 12 }), (fragments) => {
        const command = fragments.join("");
        const quoted = quoteOwnVariables(command, NAMES);
        fc.pre(quoted !== command);
        expect(outcome(quoted, "/ab")).toEqual(outcome(command, "/ab"));
      }),
      { numRuns: 100, maxSkipsPerRun: 50, interruptAfterTimeLimit: 6_000 },
    );
  });
});

const variable = fc.constantFrom("$GEMINI_CWD", "${GEMINI_CWD}", "${GEMINI_CWD%b}", "${GEMINI_CWD/ /_}");
const { commands } = fc.letrec<{ commands: string; command: string; word: string; inQuotes: string }>((tie) => ({
  commands: fc.array(tie("command"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n")),
  command: fc.oneof(
    { maxDepth: 5, depthIdentifier: "bash" },
    fc.array(tie("word"), { minLength: 1, maxLength: 4 }).map((words) => `printf '<%s>' ${words.join(" ")} # it's "so`),
    tie("word").map((word) => `x=${word}; printf '[%s]' "$x"`),
    tie("word").map((word) => `cat <<< ${word}`),
    tie("word").map((word) => `[[ ${word} == $GEMINI_CWD ]] && echo same || echo other`),
    tie("word").map((word) => `for i in ${word} $GEMINI_CWD; do printf '(%s)' "$i"; done`),
    tie("commands").map((body) => `if true; then\n${body}\nfi`),
    tie("commands").map((body) => `case $GEMINI_CWD in (x|y) ;; $GEMINI_CWD)\n${body}\n;; esac`),
    tie("commands").map((body) => `(\n${body}\n) | cat`),
    tie("commands").map((body) => `(( 1 << 2 )) && {\n${body}\n}`),
    variable.map((name) => `cat <<E\n'${name} "$(echo ${name} | wc -l)\nE`),
  ),
  word: fc.oneof(
    { maxDepth: 5, depthIdentifier: "bash" },
    variable,
    fc.constantFrom("x#y", "'$GEMINI_CWD  it'", "\\'", "$'\\'$GEMINI_CWD'", "$((1 + (2 << 1)))", "=", "\\$GEMINI_CWD", "$GEMINI_CWDX"),
    fc.tuple(tie("word"), tie("word")).map(([a, b]) => a + b),
    tie("inQuotes").map((text) => `"${text}"`),
    tie("word").map((word) => `\${none:-${word}}`),
  ),
  inQuotes: fc.oneof(
    { maxDepth: 5, depthIdentifier: "bash" },
    variable,
    fc.constantFrom("it's  ", '\\"', "$GEMINI_CWDX", "# ", "\\$GEMINI_CWD", "(", ")"),
    fc.tuple(tie("inQuotes"), tie("inQuotes")).map(([a, b]) => a + b),
    tie("commands").map((body) => `$(${body}\n)`),
    tie("commands").map((body) => `$(case x in y) ;; x)\n${body}\n;; esac)`),
  ),
}));

const fragment = fc.oneof(
  { arbitrary: variable, weight: 6 },
  { arbitrary: fc.constantFrom(..."'|\"|\\|#|x|=|<<<|$'|${x:-|}|(|)|((|))|$((1|$(|`|\n|<<E\n|\nE\n| ".split("|")), weight: 6 },
  fc.constantFrom(
    "; ",
    "\\\n",
    " \\\n# it's\n",
    " | cat ",
    " && ",
    "echo ",
    "printf '<%s>' ",
    " # x\n",
    "[[ a == ",
    " ]]",
    "if true; then ",
    "; fi",
    "case a in a) ",
    ";; esac",
  ),
);

function outcome(command: string, cwd: string): { readonly code: number | null; readonly out: string } {
  const { status, stdout } = spawnSync("bash", ["--norc", "-c", command], {
    cwd: dir,
    env: { PATH: "/usr/bin:/bin", GEMINI_CWD: cwd, GEMINI_PROJECT_DIR: "/c" },
    encoding: "utf8",
    timeout: 2_000,
  });
  return { code: status, out: stdout };
}
