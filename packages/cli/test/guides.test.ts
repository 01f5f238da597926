// What the guides show is pasted: every command of theirs runs as it stands, and the script of the scripted model's page plays.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { stage } from "../../agent/test/loop/stage.ts";
import { inProcess } from "./agent-run.ts";
import { testMachine } from "./test-io.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const BIN = resolve(ROOT, "packages/cli/bin/carabiner.js");

/** The contents of the page's fenced blocks in that language. */
function fenced(page: string, language: string): readonly string[] {
  const text = readFileSync(resolve(ROOT, page), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, content = ""]) => content);
}
/** Lines that call a command; what calls the agent needs a model, and the tour has tests of its own. */
const commands = (page: string): readonly string[] =>
  fenced(page, "sh")
    .join("")
    .split("\n")
    .filter((line) => /^carabiner (?!demo|-)/.test(line));

test.each(["README.md", "README.ja.md", "docs/writing-hooks.md"])("the commands of %s run as they stand", (page) => {
  const machine = testMachine();
  machine.write("bin/carabiner", `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`, 0o755);
  const env = { ...machine.env, PATH: `${machine.path("bin")}:${process.env["PATH"]}` };
  const ran = commands(page).map((line) => {
    const { status, stderr } = spawnSync("bash", ["-c", line], { cwd: machine.project, env, encoding: "utf8" });
    return { line, status, stderr };
  });
  expect(ran.length).toBeGreaterThan(3);
  // What is shown to be refused is refused, and everything else goes through.
  for (const { line, status, stderr } of ran)
    expect({ line, status, stderr }).toMatchObject({ status: /rm -rf|"\.env"/.test(line) ? 2 : 0 });
});

test("the commands of the page on trust decide as it says, after the one that adds their hook", async () => {
  const machine = testMachine();
  await machine.run(["hooks", "add", "BeforeTool", "--name", "no-secrets"]);
  for (const line of commands("docs/trust.md")) {
    const [, ...words] = line.replace(/#.*/, "").trim().split(/\s+/);
    expect({ line, ...(await machine.run(words)) }).toMatchObject({ line, code: 0 });
  }
});

test("the script of the scripted model's page plays to its end", async () => {
  const on = stage();
  const [shown = ""] = fenced("docs/scripted-model.md", "jsonl");
  on.write("shown.jsonl", shown);
  const ran = await inProcess(on, ["--model", `script/${on.path("shown.jsonl")}`, "--yolo", "write it"]);
  expect(ran).toMatchObject({ code: 0, stdout: "I will write it.\nAll done.\n" });
  expect(on.read("my project/a.txt")).toBe("hi");
});
