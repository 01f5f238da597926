import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expandStrings, expandText } from "../../src/settings/expand.ts";
import { extensionCommand, fillExtensionStrings } from "../../src/settings/extension-strings.ts";

const variables = { HOME: "/h", EMPTY: "", TWICE: "$HOME" };

test.each([
  ["$HOME/x", "/h/x"],
  ["${HOME}x", "/hx"],
  ["$HOMEx", "$HOMEx"],
  ["${NOT_SET}", "${NOT_SET}"],
  ["${NOT_SET:-default}", "default"],
  ["${NOT_SET:-}", ""],
  ["${EMPTY:-default}", ""],
  ["$TWICE", "$HOME"],
  ["$1 $$ $? $(x) $", "$1 $$ $? $(x) $"],
  ["$constructor ${__proto__} ${toString:-x}", "$constructor ${__proto__} x"],
])("%j becomes %j", (text, expanded) => {
  expect(expandText(text, variables)).toBe(expanded);
});

test("strings are expanded at any depth, keys never", () => {
  expect(expandStrings({ $HOME: ["$HOME", { a: "${HOME}" }], n: 1 }, variables)).toEqual({ $HOME: ["/h", { a: "/h" }], n: 1 });
});

test("an extension's strings name its own places, and nothing of an object's prototype", () => {
  const places = { extensionPath: "/e x", workspacePath: "/w" };
  const text = "${extensionPath}${/}a${pathSeparator}${workspacePath} ${constructor} ${HOME} $HOME";
  expect(fillExtensionStrings({ a: [text] }, places, "linux")).toEqual({ a: ["/e x/a//w ${constructor} ${HOME} $HOME"] });
  expect(fillExtensionStrings("${/}", places, "win32")).toBe("\\");
});

/** What bash makes of the words of a command: each argument of `printf` on a line of its own, in brackets. */
function words(command: string, extensionPath: string): string {
  const { command: text, env } = extensionCommand(command, { extensionPath, workspacePath: "/w" }, "linux");
  const run = spawnSync("bash", ["--norc", "--noprofile", "-c", text], { env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" });
  return run.stdout + run.stderr;
}

test.each([
  ["printf '[%s]' ${extensionPath}/a.js", "[{}/a.js]"],
  ['printf "[%s]" "${extensionPath}/a.js"', "[{}/a.js]"],
  ["printf '[%s]' '${extensionPath}/a.js'", "[{}/a.js]"],
  ["printf '[%s]' pre${extensionPath}${/}a", "[pre{}/a]"],
  ['printf "[%s]" "$(printf "<%s>" ${extensionPath})"', "[<{}>]"],
  ["printf '[%s]' `printf '%s' \"${extensionPath}\" | wc -l` ${extensionPath}", "[0][{}]"],
  ["printf '[%s]' x # it's ${extensionPath}\nprintf '[%s]' ${extensionPath}", "[x][{}]"],
  ["cat <<E\n${extensionPath} it's\nE\nprintf '[%s]' ${extensionPath}", "{} it's\n[{}]"],
])("in bash %j is one word, whatever the path contains", (command, expected) => {
  for (const path of ["/plain", "/with space", "/it's", '/a"b', "/$(touch x);`id`", "/a\\b*?", "/emoji 🪝"]) {
    expect(words(command, path)).toBe(expected.replaceAll("{}", () => path));
  }
});

test("a path never becomes part of the command's text", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 12 }), (before, path) => {
      const { command } = extensionCommand(`${before} \${extensionPath}`, { extensionPath: `<${path}>`, workspacePath: "/w" }, "linux");
      expect(command).not.toContain(`<${path}>`);
    }),
  );
});

test("a command that names no place stays as it is, with nothing in its environment", () => {
  const command = "echo \"${HOME}\" '${x}'";
  expect(extensionCommand(command, { extensionPath: "/e", workspacePath: "/w" }, "linux")).toEqual({ command, env: {} });
});

test("for PowerShell a place is a reference, and inside single quotes a text that cannot end them", () => {
  const places = { extensionPath: "C:\\it's ’x", workspacePath: "C:\\w" };
  const { command, env } = extensionCommand("node ${extensionPath}${/}a.js '${extensionPath}' \"${workspacePath}\"", places, "win32");
  expect(command).toBe("node ${env:CARABINER_EXTENSION_PATH}\\a.js 'C:\\it''s ’’x' \"${env:CARABINER_WORKSPACE_PATH}\"");
  expect(env).toEqual({ CARABINER_EXTENSION_PATH: "C:\\it's ’x", CARABINER_WORKSPACE_PATH: "C:\\w" });
});
