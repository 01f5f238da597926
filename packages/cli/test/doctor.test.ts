import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { findProgram } from "../src/commands/doctor/index.ts";
import { hook, on, PROJECT, type TestMachine, testMachine, USER } from "./test-io.ts";

interface Finding {
  readonly area: string;
  readonly level: string;
  readonly what: string;
  readonly fix?: string;
}
async function examined(machine: TestMachine, env: Readonly<Record<string, string>> = {}) {
  const { code, out } = await machine.run(["doctor", "--json"], { env });
  const { ok, settings, findings } = JSON.parse(out) as {
    readonly ok: boolean;
    readonly settings: readonly unknown[];
    readonly findings: readonly Finding[];
  };
  return { code, ok, settings, findings, bad: findings.filter(({ level }) => level === "warning" || level === "error") };
}
/** A PATH with these programs of the machine and nothing else. */
function pathWith(machine: TestMachine, programs: readonly string[]): string {
  machine.write("bin/.keep", "");
  for (const name of programs) {
    const file = findProgram(name, process.env["PATH"] ?? "");
    if (file) symlinkSync(file, machine.path(`bin/${name}`));
  }
  return machine.path("bin");
}

test("a machine without anything is in order, and is told what could be there", async () => {
  const { code, out } = await testMachine().run(["doctor"]);
  expect(out).toContain(".gemini/settings.json (project): there is no such file");
  expect(out).toContain("No hooks are configured.");
  expect(out).toContain("GEMINI_API_KEY");
  expect(out).toContain("Everything is in order.");
  expect(code).toBe(0);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("each settings file is told with its hooks by event", async () => {
  const machine = testMachine({
    [USER]: { hooks: { BeforeTool: [{ hooks: [hook("true"), hook("echo a")] }], SessionEnd: [{ hooks: [hook("echo b")] }] } },
  });
  const { code, settings, findings, bad } = await examined(machine);
  expect({ code, bad }).toEqual({ code: 0, bad: [] });
  expect(settings).toContainEqual(expect.objectContaining({ scope: "user", found: true, hooks: { BeforeTool: 2, SessionEnd: 1 } }));
  expect(findings).toContainEqual(
    expect.objectContaining({ what: "~/.gemini/settings.json (user): 3 hooks (BeforeTool 2, SessionEnd 1)" }),
  );
});

test("what is wrong with settings and hooks is found, with its place and what to do", async () => {
  const machine = testMachine({
    [USER]: {
      hooks: {
        PreToolUse: [{ hooks: [hook("true")] }],
        BeforeTool: [
          { matcher: "Bash", hooks: [hook("true", { name: "other words" })] },
          { matcher: "run_shel_command", hooks: [hook("true", { name: "slip" })] },
          { matcher: "mcp_github_.*", hooks: [hook("true", { name: "mcp" })] },
          { matcher: "write_.*", hooks: [hook("./missing.sh", { name: "gone" }), hook("true", { name: "quick", timeout: 5 })] },
        ],
        SessionStart: [{ matcher: "compact", hooks: [hook("true", { name: "never" })] }],
      },
      hooksConfig: { disabled: ["never"] },
    },
    "project/.gemini/hooks.json": on("BeforeTool", [hook("true")]),
  });
  const { code, bad, findings } = await examined(machine);
  expect(code).toBe(1);
  const found = (what: string | RegExp) =>
    findings.find((finding) => (typeof what === "string" ? finding.what.includes(what) : what.test(finding.what)));
  expect(found('"PreToolUse" is not an event')).toMatchObject({ level: "error", fix: expect.stringContaining('"BeforeTool"') });
  expect(found("other words: its matcher")).toMatchObject({ level: "warning", fix: "Did you mean run_shell_command?" });
  expect(found("slip: its matcher")).toMatchObject({ level: "warning", fix: "Did you mean run_shell_command?" });
  expect(found("mcp: its matcher")).toMatchObject({ level: "note" });
  expect(found(/^gone \(~\/\.gemini\/settings\.json:\d+\): .*no such file/)).toMatchObject({ level: "warning" });
  expect(found(/^quick .*means 5 milliseconds/)).toMatchObject({ level: "warning", fix: expect.stringContaining("5000") });
  expect(found("never is switched off by")).toMatchObject({ level: "note", fix: "carabiner hooks enable never" });
  expect(found(/hooks\.json: 1 hook stands in a file that is not read/)).toMatchObject({ level: "warning" });
  expect(bad.some(({ what }) => what.startsWith("mcp"))).toBe(false);
});

test("a matcher for a tool that only the session's other product has fits it where both take part, and nothing alone", async () => {
  const qoder = {
    "project/.qoder/settings.json": {
      hooks: {
        PreToolUse: [
          { matcher: "write_todos", hooks: [hook("true", { name: "the whole list" })] },
          { matcher: "TodoWrite", hooks: [hook("true", { name: "older name" })] },
          { matcher: "Nothing", hooks: [hook("true", { name: "nothing" })] },
        ],
      },
    },
  };
  const fitless = async (files: Readonly<Record<string, unknown>>) =>
    (await examined(testMachine(files))).findings.flatMap(({ what }) =>
      what.includes("fits no built-in tool") ? [what.split(":")[0]] : [],
    );
  expect(await fitless({ ...qoder, "project/.gemini/settings.json": on("BeforeTool", [hook("true")]) })).toEqual(["nothing"]);
  expect(await fitless(qoder)).toEqual(["the whole list", "nothing"]);
});

test("hooks in a file that another product's users mistake for settings are found, although nothing else of that product is here", async () => {
  const machine = testMachine({ "project/.qoder-cn/settings.json": on("PreToolUse", [hook("true")]) });
  const { code, bad } = await examined(machine);
  expect(code).toBe(1);
  expect(bad).toEqual([
    expect.objectContaining({ what: expect.stringContaining(".qoder-cn/settings.json: 1 hook stands in a file that is not read.") }),
  ]);
  machine.write("project/.qoder-cn/settings.json", { model: "no hooks" });
  expect(await examined(machine)).toMatchObject({ code: 0, bad: [] });
});

test("programs are looked for on the PATH that hooks get, and who needs a missing one is named", async () => {
  const machine = testMachine({
    [USER]: on("BeforeTool", [
      hook("cat | jq .tool_name", { name: "filter" }),
      hook("./py.sh", { name: "python" }),
      hook("./crlf.sh", { name: "windows" }),
      hook("frobnicate --all", { name: "frob" }),
      hook("[ -n x ] && exit 0", { name: "builtin" }),
      hook("./uses.sh", { name: "comment" }),
    ]),
    "project/uses.sh": "#!/bin/sh\n# node could be used here\nexit 0\n",
  });
  machine.write("project/py.sh", "#!/usr/bin/env python9\n", 0o755);
  machine.write("project/crlf.sh", "#!/bin/sh\r\nexit 0\r\n", 0o755);
  machine.write("project/uses.sh", machine.read("project/uses.sh"), 0o755);
  const { findings } = await examined(machine, { PATH: pathWith(machine, ["bash", "cat"]) });
  const programs = findings.filter(({ area }) => area === "Programs that hooks need");
  expect(programs.map(({ level, what }) => `${level} ${what.split(machine.path("")).join("")}`)).toEqual([
    "ok bash: /bin/bash",
    "note node is not on the PATH that hooks get; no hook here seems to need it.",
    "note python3 is not on the PATH that hooks get; no hook here seems to need it.",
    "warning jq is not on the PATH that hooks get, and filter seems to need it.",
    "warning python: py.sh begins with #!/usr/bin/env python9, and there is no python9 on the PATH that hooks get.",
    "warning windows: crlf.sh has Windows line ends, so that the system looks for a program whose name ends with one.",
    "warning frob: its command begins with frobnicate, which is not on the PATH that hooks get.",
  ]);
  const without = await examined(machine, { PATH: machine.path("empty") });
  expect(without.bad).toContainEqual(expect.objectContaining({ level: "error", what: expect.stringContaining("bash is not on the PATH") }));
});

test("a PATH that settings keep from hooks is not looked at", async () => {
  const machine = testMachine({
    [USER]: { security: { environmentVariableRedaction: { blocked: ["PATH"] } }, ...on("BeforeTool", [hook("true")]) },
  });
  expect((await examined(machine)).bad).toContainEqual(
    expect.objectContaining({ what: expect.stringContaining("bash is not on the PATH that hooks get") }),
  );
});

test("a hook in TypeScript is a finding where the node that it would get does not strip types", async () => {
  const machine = testMachine({
    [USER]: on("BeforeTool", [hook("node ./typed.mts", { name: "typed" })]),
    "project/typed.mts": "export {};\n",
  });
  const path = pathWith(machine, ["bash"]);
  machine.write("bin/node", "#!/bin/bash\necho v20.19.0\n", 0o755);
  const { bad } = await examined(machine, { PATH: path });
  expect(bad).toEqual([
    expect.objectContaining({ what: expect.stringMatching(/^typed: written in TypeScript. the node in PATH is v20\.19\.0/i) }),
  ]);
});

test("trust that is open, refused or demanded is told", async () => {
  const files = { [PROJECT]: on("BeforeTool", [hook("true", { name: "a" })]) };
  const open = testMachine(files);
  expect((await examined(open)).bad).toEqual([
    expect.objectContaining({ area: "Trust", fix: expect.stringContaining("trust approve --folder") }),
  ]);
  await open.run(["trust", "approve", "--folder"]);
  const trusted = await examined(open);
  expect(trusted).toMatchObject({ code: 0, bad: [] });
  expect(trusted.findings).toContainEqual(expect.objectContaining({ level: "note", what: "Not approved as it is now: a (new)." }));
  open.write(USER, { carabiner: { trust: "require" } });
  const required = await examined(open);
  expect(required.bad).toEqual([
    expect.objectContaining({ level: "error", what: expect.stringContaining("so that it does not run: a (new)") }),
  ]);
  expect(required.findings).toContainEqual(
    expect.objectContaining({ level: "note", what: "0 of 1 hooks run when their event and matcher fit." }),
  );
  await open.run(["trust", "revoke", "--folder"]);
  expect((await examined(open)).findings).toContainEqual(
    expect.objectContaining({ level: "warning", what: expect.stringContaining("is not trusted") }),
  );
});

test("a journal that cannot be written is an error, one that can is told with its size", async () => {
  const machine = testMachine({ [USER]: on("SessionEnd", [hook("true")]) });
  await machine.run(["fire", "SessionEnd"]);
  expect((await examined(machine)).findings).toContainEqual(
    expect.objectContaining({
      area: "Journal",
      level: "ok",
      what: expect.stringMatching(/^~\/\.carabiner\/journal: 1 file, 0\.\d\d MB of at most 50 MB$/),
    }),
  );
  machine.write(USER, { carabiner: { journal: { dir: machine.write("file", "x") } } });
  expect((await examined(machine)).bad).toEqual([
    expect.objectContaining({ area: "Journal", level: "error", what: expect.stringContaining("it is not a folder") }),
  ]);
});

test("the model and MCP servers are told, also with keys from the project's environment file", async () => {
  const machine = testMachine({
    [USER]: { mcpServers: { files: { command: "no-such-server" }, web: { httpUrl: "https://example.com/mcp" }, bad: {} } },
    "project/.env": "OPENAI_API_KEY=x\n",
  });
  await machine.run(["trust", "approve", "--folder"]);
  const { findings, bad } = await examined(machine);
  expect(findings).toContainEqual(expect.objectContaining({ level: "ok", what: expect.stringMatching(/^Model: \S+ \(with .*\.env\)$/) }));
  expect(findings).toContainEqual(expect.objectContaining({ level: "ok", what: "MCP server web: https://example.com" }));
  expect(bad.map(({ what }) => what)).toEqual([
    expect.stringContaining("mcpServers.bad"),
    expect.stringContaining("there is no no-such-server"),
  ]);
});

test("on Windows a program is found by the endings of PATHEXT", () => {
  const machine = testMachine({ "bin/tool.EXE": "", "bin/other": "" });
  expect(findProgram("tool", `${machine.path("none")};${machine.path("bin")}`, "win32", ".COM;.EXE")).toBe(machine.path("bin/tool.EXE"));
  expect(findProgram("tool", machine.path("bin"), "linux")).toBeUndefined();
  expect(findProgram("other", machine.path("bin"), "linux")).toBeUndefined();
});
