/** Settings of both products become the same rules; what is no rule is a problem. */
import { describe, expect, it } from "vitest";
import { decide, flagRules, geminiRuleSyntax, qoderRuleSyntax, readRules, trustRules } from "../../src/permissions/index.ts";
import { geminiWords, mcp, qoderWords, shell } from "./call.ts";

const gemini = { file: "/p/.gemini/settings.json", scope: "project", syntax: geminiRuleSyntax, words: geminiWords } as const;
const qoder = { file: "/p/.qoder/settings.json", scope: "project", syntax: qoderRuleSyntax, words: qoderWords } as const;

describe("Gemini CLI's settings", () => {
  it("give allow, deny and ask rules, with their places", () => {
    const { rules, problems } = readRules(
      {
        tools: {
          allowed: ["run_shell_command(git status)", "search_file_content"],
          exclude: ["ShellTool(rm -rf)"],
          confirmationRequired: ["write_file", "mcp_git_push"],
        },
      },
      gemini,
    );
    expect(problems).toEqual([]);
    const source = (jsonPath: string) => ({ file: gemini.file, jsonPath, scope: "project" });
    expect(rules).toEqual([
      {
        effect: "deny",
        tool: { text: "ShellTool", kinds: ["shell"] },
        argument: { kind: "prefix", pattern: "rm -rf" },
        source: source("tools.exclude[0]"),
      },
      { effect: "ask", tool: { text: "write_file", kinds: ["writeFile"] }, source: source("tools.confirmationRequired[0]") },
      { effect: "ask", tool: { text: "mcp_git_push", kinds: [] }, source: source("tools.confirmationRequired[1]") },
      {
        effect: "allow",
        tool: { text: "run_shell_command", kinds: ["shell"] },
        argument: { kind: "prefix", pattern: "git status" },
        source: source("tools.allowed[0]"),
      },
      { effect: "allow", tool: { text: "search_file_content", kinds: ["searchText"] }, source: source("tools.allowed[1]") },
    ]);
  });
  it("trust a server as a whole", () => {
    const rules = trustRules(
      { mcpServers: { git: { command: "x", trust: true }, web: { command: "x", trust: "yes" }, off: { trust: false } } },
      gemini,
    );
    expect(rules.map((rule) => rule.tool.text)).toEqual(["mcp__git"]);
    expect(decide({ call: mcp("git", "push"), mode: "default", rules, interactive: true }).answer).toBe("allow");
    expect(decide({ call: mcp("web", "get"), mode: "default", rules, interactive: true }).answer).toBe("ask");
  });
});

describe("Qoder CN CLI's settings", () => {
  it("tell prefixes, globs and exact commands apart", () => {
    const { rules } = readRules(
      { permissions: { allow: ["Bash(git push:*)", "Bash(npm *)", "Bash(ls)", "Edit(src/**)", "Bash", "Bash(*)"], deny: ["Web*"] } },
      qoder,
    );
    expect(rules.map(({ tool, argument }) => [tool.kinds, argument])).toEqual([
      [["fetchUrl", "searchWeb"], undefined],
      [["shell"], { kind: "prefix", pattern: "git push" }],
      [["shell"], { kind: "glob", pattern: "npm *" }],
      [["shell"], { kind: "exact", pattern: "ls" }],
      [["editFile"], { kind: "glob", pattern: "src/**", rooted: true }],
      [["shell"], undefined],
      [["shell"], undefined],
    ]);
  });
  it("guard a tool that the host calls by another name", () => {
    const { rules } = readRules({ permissions: { deny: ["Bash(git push:*)"] } }, qoder);
    expect(decide({ call: shell("git push"), mode: "yolo", rules, interactive: true }).answer).toBe("deny");
  });
});

describe("what is no rule", () => {
  it("costs only itself, and is told with its place", () => {
    const { rules, problems } = readRules(
      { tools: { allowed: ["run_shell_command(git", 7, "", "read_file"], exclude: "write_file" } },
      gemini,
    );
    expect(rules.map((rule) => rule.tool.text)).toEqual(["read_file"]);
    expect(problems.map((problem) => [problem.jsonPath, problem.what])).toEqual([
      ["tools.exclude", "expected a list of tool names, found a string."],
      ["tools.allowed[0]", 'expected a tool\'s name, or a name and an argument in brackets, found "run_shell_command(git".'],
      ["tools.allowed[1]", "expected a text, found 7."],
      ["tools.allowed[2]", 'expected a tool\'s name, or a name and an argument in brackets, found "".'],
    ]);
  });
  it("is told when no tool has the name, and the rule is kept", () => {
    const { rules, problems } = readRules({ tools: { exclude: ["writefile"] } }, gemini);
    expect(problems.map((problem) => problem.what)).toEqual(['no tool is called "writefile".']);
    expect(rules).toHaveLength(1);
  });
  it("may have names that objects have anyway", () => {
    const settings = JSON.parse(
      '{"tools": {"__proto__": {"allowed": ["x"]}, "allowed": ["constructor"]}, "mcpServers": {"__proto__": {"trust": true}}}',
    );
    expect(readRules(settings, gemini).rules.map((rule) => rule.tool)).toEqual([{ text: "constructor", kinds: [] }]);
    expect(trustRules(settings, gemini).map((rule) => rule.tool.text)).toEqual(["mcp____proto__"]);
  });
});

it("the command line gives rules that name their flag", () => {
  const { rules } = flagRules(["run_shell_command(git)"], "allow", "--allowed-tools", gemini);
  expect(rules).toEqual([
    {
      effect: "allow",
      tool: { text: "run_shell_command", kinds: ["shell"] },
      argument: { kind: "prefix", pattern: "git" },
      source: { file: "command line", jsonPath: "--allowed-tools[0]", scope: "flag" },
    },
  ]);
});
