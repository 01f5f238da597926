import { expect, test } from "vitest";
import { hook, on, PROJECT, SYSTEM, testMachine, USER } from "./test-io.ts";

const widths = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));

test("a machine without hooks is told where they were looked for and what to do next", async () => {
  const machine = testMachine();
  const { code, out } = await machine.run(["hooks", "list"]);
  expect(code).toBe(0);
  expect(out).toContain("No hooks are configured");
  expect(out).toContain(".gemini/settings.json: there is no such file");
  expect(out).toContain("carabiner init");
});

test("every hook of every layer stands in order with its event, matcher, command, place, timeout, flags and status", async () => {
  const machine = testMachine({
    [PROJECT]: {
      hooks: {
        BeforeTool: [
          {
            matcher: "write_file",
            sequential: true,
            hooks: [hook("./a.sh", { name: "guard", timeout: 5000, onFailure: "block" }), hook("echo b")],
          },
        ],
      },
      hooksConfig: { disabled: ["echo b"] },
    },
    [USER]: on("SessionEnd", [hook("echo u", { name: "bye", description: "Says goodbye." })]),
    [SYSTEM]: on("BeforeTool", [hook("echo s", { name: "audit" }), hook("x", { type: "http" })]),
    "project/a.sh": "#!/bin/sh\n",
  });
  const { code, out } = await machine.run(["hooks"]);
  expect(code).toBe(0);
  const flat = out.replace(/\s+/g, " ");
  expect(flat).toContain("BeforeTool enabled guard matcher write_file ./a.sh");
  expect(flat).toContain(".gemini/settings.json:1 (project), timeout 5000 ms, sequential, onFailure block, new: not approved yet");
  expect(flat).toContain("disabled echo b matcher write_file");
  expect(flat).toContain("why: hooksConfig.disabled in ");
  expect(out).not.toContain(machine.project);
  expect(flat).toContain("enabled audit echo s");
  expect(flat).toContain("etc/settings.json:1 (system), timeout 60000 ms (default)");
  expect(flat).toContain('why: hooks of type "http" are not run here');
  expect(flat).toContain("SessionEnd enabled bye echo u Says goodbye. ~/.gemini/settings.json:1 (user)");
  expect(out.indexOf("guard")).toBeLessThan(out.indexOf("audit"));
  expect(out).toContain("problems in the settings:");
  expect(out).toContain("chmod +x ./a.sh");
  expect(widths(out)).toBeLessThanOrEqual(80);
});

test("JSON has the same hooks with their status, and the problems as values", async () => {
  const machine = testMachine({
    [PROJECT]: { hooks: { BeforeTol: [], BeforeTool: [{ hooks: [hook("echo a", { name: "a" }), { type: "command" }] }] } },
  });
  const { out } = await machine.run(["hooks", "list", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    projectDir: machine.project,
    hooks: [
      {
        name: "a",
        command: "echo a",
        status: "enabled",
        scope: "project",
        trust: "new",
        timeoutMs: 60000,
        timeoutGiven: false,
        place: { line: 1 },
      },
      { status: "broken", why: "its command is not a text that is a command" },
    ],
    problems: expect.arrayContaining([expect.objectContaining({ code: "EVENT_UNKNOWN", todo: 'Did you mean "BeforeTool"?' })]),
  });
});

test("hooks of two products are told apart, each with its own unit of time", async () => {
  const machine = testMachine({
    [PROJECT]: on("BeforeTool", [hook("echo a", { timeout: 2000 })]),
    "project/.qoder/settings.json": on("PreToolUse", [hook("echo b", { timeout: 2 })]),
  });
  const { out } = await machine.run(["hooks", "list"]);
  expect(out).toContain("BeforeTool (Gemini CLI)");
  expect(out).toContain("timeout 2000 ms");
  expect(out).toContain("PreToolUse (Qoder CN CLI)");
  expect(out).toContain("timeout 2 s");
  const one = await machine.run(["hooks", "list", "--dialect", "qoder-cn"]);
  expect(one.out).not.toContain("BeforeTool");
  expect(await machine.run(["hooks", "list", "--dialect", "nope"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("gemini, qoder-cn"),
  });
});

test("of the same hook configured twice the user's copy runs, and the project's says so", async () => {
  const same = on("BeforeTool", [hook("echo a", { name: "a" })]);
  const machine = testMachine({ [PROJECT]: same, [USER]: same });
  const { out } = await machine.run(["hooks", "list"]);
  const flat = out.replace(/\s+/g, " ");
  expect(flat).toContain("duplicate a echo a .gemini/settings.json:1 (project)");
  expect(flat).toContain("why: the same hook is configured at ~/.gemini/settings.json:1 (user), and runs from there");
});

test("what a project calls its hooks cannot move the cursor, and wide names stay aligned", async () => {
  const machine = testMachine({
    [PROJECT]: on("BeforeTool", [
      hook("printf '\u001b[2J'\necho second", { name: "evil\u001b[2J\nname" }),
      hook("echo b", { name: "密钥守卫" }),
    ]),
  });
  const { out } = await machine.run(["hooks", "list"]);
  expect(out).not.toContain("\u001b");
  expect(out).toContain("evil / name");
  const lines = out.split("\n");
  expect(lines.find((line) => line.includes("echo second"))).toMatch(/^ {11}echo second$/);
  expect(lines.find((line) => line.includes("密钥守卫"))).toMatch(/^ {2}enabled {2}密钥守卫$/);
});

test("where settings demand approval, what is not approved is listed as unapproved", async () => {
  const machine = testMachine({
    [PROJECT]: on("BeforeTool", [hook("echo a", { name: "a" })]),
    [USER]: { carabiner: { trust: "require" } },
  });
  expect((await machine.run(["hooks", "list"])).out).toContain("unapproved  a");
  await machine.run(["trust", "approve"]);
  expect((await machine.run(["hooks", "list"])).out).toContain("enabled  a");
});
