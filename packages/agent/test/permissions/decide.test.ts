/** Rules, modes, and somebody to ask or nobody: which answer comes out. What hooks say to it is in verdicts.test.ts. */
import { describe, expect, it } from "vitest";
import { type Decision, decide, type Mode, type PolicyCall, parseMode, type Rule } from "../../src/permissions/index.ts";
import { exact, fetchPage, glob, mcp, prefix, read, rule, shell, write } from "./call.ts";

const answer = (call: PolicyCall, mode: Mode, rules: readonly Rule[] = [], interactive = true): Decision["answer"] =>
  decide({ call, mode, rules, interactive, cwd: "/work/app", home: "/home/me" }).answer;
const MODES: readonly Mode[] = ["default", "autoEdit", "plan", "dontAsk", "auto", "yolo"];

describe("a mode without rules", () => {
  it.each<[string, PolicyCall, string]>([
    // default autoEdit plan dontAsk auto yolo
    ["reading", read("a"), "allow allow allow allow allow allow"],
    ["an edit", write("a"), "ask allow deny deny allow allow"],
    ["a shell command", shell("ls"), "ask ask deny deny allow allow"],
    ["a request", fetchPage("https://a.example"), "ask ask ask deny allow allow"],
    ["an MCP tool", mcp("s", "t"), "ask ask deny deny allow allow"],
    ["a question", { name: "ask_user", kind: "askUser", effect: "ask", input: {} }, "allow allow allow allow allow allow"],
    ["a plan", { name: "write_todos", kind: "writeTodos", effect: "plan", input: {} }, "allow allow allow allow allow allow"],
    ["a memory", { name: "save_memory", kind: "saveMemory", effect: "memory", input: {} }, "ask ask deny deny allow allow"],
  ])("answers for %s", (_, call, expected) => {
    expect(MODES.map((mode) => answer(call, mode)).join(" ")).toBe(expected);
    expect(MODES.map((mode) => answer(call, mode, [], false)).join(" ")).toBe(expected.replaceAll("ask", "deny"));
  });
});

describe("the list of the only tools", () => {
  const only = [rule("allow", "read_file"), rule("allow", "run_shell_command", prefix("git status"))];
  const said = (call: PolicyCall, list: readonly Rule[] = only) => decide({ call, mode: "yolo", rules: [], only: list, interactive: true });
  it.each<[string, PolicyCall, string]>([
    ["a tool on it", read("a"), "allow"],
    ["a tool that is not on it", write("a"), "deny"],
    ["a command on it", shell("git status -s"), "allow"],
    ["another command", shell("git push"), "deny"],
    ["a command with something behind it", shell("git status; rm -r /"), "deny"],
    ["an MCP tool", mcp("s", "t"), "allow"],
  ])("answers for %s", (_, call, expected) => {
    expect(said(call).answer).toBe(expected);
  });
  it("lets nothing through where it is empty, and names its file where it refuses", () => {
    expect(said(read("a"), []).answer).toBe("deny");
    expect(said(write("a")).because).toContain(only[0]?.source.file);
  });
  it("asks nobody more than there was to ask", () => {
    expect(decide({ call: shell("git status"), mode: "default", rules: [], only, interactive: true }).answer).toBe("ask");
  });
});

describe("a rule in a mode", () => {
  const deny = rule("deny", "run_shell_command", prefix("git push"));
  const ask = rule("ask", "run_shell_command", prefix("git push"));
  const allow = rule("allow", "run_shell_command", prefix("git push"));
  const given = rule("allow", "run_shell_command", prefix("git push"), "session");
  it.each<[string, Rule[], string]>([
    // default autoEdit plan dontAsk auto yolo
    ["deny", [deny], "deny deny deny deny deny deny"],
    ["deny beside allow, ask and an earlier yes", [allow, ask, given, deny], "deny deny deny deny deny deny"],
    ["ask", [ask], "ask ask deny deny deny allow"],
    ["ask beside allow", [allow, ask], "ask ask deny deny deny allow"],
    ["ask beside an earlier yes", [given, ask], "allow allow deny allow allow allow"],
    ["allow", [allow], "allow allow deny allow allow allow"],
  ])("%s", (_, rules, expected) => {
    expect(MODES.map((mode) => answer(shell("git push"), mode, rules)).join(" ")).toBe(expected);
    expect(MODES.map((mode) => answer(shell("git push"), mode, rules, false)).join(" ")).toBe(expected.replaceAll("ask", "deny"));
  });
});

describe("the reason", () => {
  const because = (call: PolicyCall, mode: Mode, rules: readonly Rule[], interactive = true) =>
    decide({ call, mode, rules, interactive }).because;
  it("names the rule and its file", () => {
    expect(because(shell("git push"), "yolo", [rule("deny", "run_shell_command", prefix("git push"))])).toBe(
      "Denied by the rule run_shell_command(git push:*) (/home/me/.gemini/settings.json, tools.deny[0]).",
    );
  });
  it("names the mode", () => {
    expect(because(write("a"), "autoEdit", [])).toBe("The permission mode auto_edit allows changes to files.");
    expect(because(write("a"), "plan", [])).toContain("The permission mode plan does not allow changes to files.");
  });
  it("names all rules that allow a compound command together", () => {
    const rules = [rule("allow", "run_shell_command", prefix("git")), rule("allow", "run_shell_command", prefix("ls"))];
    expect(because(shell("ls && git log"), "default", rules)).toMatch(/^Allowed by the rule .*\(ls:\*\).* and the rule .*\(git:\*\)/);
  });
  it("tells a headless run how to allow it", () => {
    const text = because(write("a"), "default", [], false);
    expect(text).toContain("Nobody can be asked in this run, so it is denied.");
    expect(text).toContain("--approval-mode auto_edit or yolo");
    expect(text).toContain("tools.allowed or permissions.allow");
    expect(because(shell("ls"), "default", [], false)).toContain("--approval-mode yolo");
  });
  it("marks a denial that a hook may lift", () => {
    expect(decide({ call: write("a"), mode: "default", rules: [], interactive: false })).toMatchObject({
      answer: "deny",
      wouldAsk: true,
    });
    expect(decide({ call: write("a"), mode: "plan", rules: [], interactive: false }).wouldAsk).toBeUndefined();
  });
});

describe("shell commands", () => {
  const allowed = ["git status", "git log", "npm test", "sudo apt", "find", "grep"].map((one) =>
    rule("allow", "run_shell_command", prefix(one)),
  );
  it.each<[string, "allow" | "ask"]>([
    ["git status", "allow"],
    ["git   status -s", "allow"],
    ["git status && npm test", "allow"],
    ["git status | grep x", "allow"],
    ["git statusx", "ask"],
    ["git push", "ask"],
    ["git status && git push", "ask"],
    ["git status; $(git push)", "ask"],
    ["git status $(git push)", "ask"],
    ["git status `git push`", "ask"],
    ["git status & git push", "ask"],
    ["git status\ngit push", "ask"],
    ["(git push)", "ask"],
    ["git status > /etc/passwd", "ask"],
    ["git status > /dev/null 2>&1", "allow"],
    ["LD_PRELOAD=x git status", "ask"],
    ["/tmp/git status", "ask"],
    ["git status 'unclosed", "ask"],
    ["sudo apt install x", "allow"],
    ["sudo rm x", "ask"],
    ["find . -name x", "allow"],
    ["find . -exec rm {} +", "ask"],
    ["find . -exec grep x {} +", "allow"],
    ["bash -c 'git status'", "ask"],
    ["", "ask"],
  ])("%j with some prefixes allowed: %s", (command, expected) => {
    expect(answer(shell(command), "default", allowed)).toBe(expected);
  });

  const denied = [rule("deny", "run_shell_command", prefix("git push")), rule("deny", "run_shell_command", glob("rm -rf *"))];
  it.each<[string, "allow" | "deny"]>([
    ["git push", "deny"],
    ["git pushx", "allow"],
    ["git status && git push -f", "deny"],
    ["X=1 git push", "deny"],
    ["/usr/bin/git push", "deny"],
    ["'git' \"push\"", "deny"],
    ["git -C /x push", "deny"],
    ["echo $(git push)", "deny"],
    ["echo '$(git push)'", "allow"],
    ["echo git push", "allow"],
    ["sudo git push", "deny"],
    ["bash -c 'cd x && git push'", "deny"],
    ["cat <<EOF | bash\nx\nEOF\ngit push", "deny"],
    ["git push 'unclosed", "deny"],
    ["if true; then git push; fi", "deny"],
    ["rm -rf /", "deny"],
    ["rm -rf", "deny"],
    ["rm x", "allow"],
  ])("%j with some commands denied: %s", (command, expected) => {
    expect(answer(shell(command), "yolo", denied)).toBe(expected);
  });

  it("an exact rule allows the whole command, redirections and all, and nothing else", () => {
    const rules = [rule("allow", "run_shell_command", exact("echo hi > out.txt"))];
    expect(answer(shell(" echo hi > out.txt"), "default", rules)).toBe("allow");
    expect(answer(shell("echo hi > other.txt"), "default", rules)).toBe("ask");
  });
  it("a rule without an argument allows every command", () => {
    expect(answer(shell("git push && rm x"), "default", [rule("allow", "run_shell_command")])).toBe("allow");
  });
});

describe("paths", () => {
  it.each<[string, ReturnType<typeof glob | typeof prefix>, boolean]>([
    ["src/a.ts", glob("src/**"), true],
    ["/work/app/src/a.ts", glob("src/**"), true],
    ["src/../../../etc/passwd", glob("src/**"), false],
    ["lib/../src/a.ts", glob("src/**"), true],
    ["./src/.env", glob("src/**"), true],
    ["deep/down/.env", glob(".env"), true],
    ["deep/down/x.pem", glob("*.pem"), true],
    ["/home/me/.ssh/id", glob("~/.ssh/**"), true],
    ["~/.ssh/id", glob("/home/me/.ssh/*"), true],
    ["src/a.ts", prefix("src"), true],
    ["src2/a.ts", prefix("src"), false],
    ["/etc/passwd", glob("**/*.ts"), false],
  ])("%s and %o", (file, argument, expected) => {
    expect(answer(write(file), "default", [rule("allow", "write_file", argument)])).toBe(expected ? "allow" : "ask");
    expect(answer(write(file), "yolo", [rule("deny", "write_file", argument)])).toBe(expected ? "deny" : "allow");
  });
});

describe("addresses", () => {
  it.each<[string, boolean]>([
    ["https://example.com/a", true],
    ["https://example.com", true],
    ["https://example.com.evil.org", false],
    ["https://example.com@evil.org", false],
    ["https://example.com:80@evil.org", false],
  ])("%s and the prefix https://example.com", (url, expected) => {
    expect(answer(fetchPage(url), "default", [rule("allow", "web_fetch", prefix("https://example.com"))])).toBe(expected ? "allow" : "ask");
  });
});

describe("MCP tools", () => {
  it.each<[string, PolicyCall, boolean, boolean]>([
    // pattern, call, allow covers, deny covers
    ["mcp__git__push", mcp("git", "push"), true, true],
    ["mcp_git_push", mcp("git", "push"), true, true],
    ["mcp__git", mcp("git", "push"), true, true],
    ["mcp__git__*", mcp("git", "push"), true, true],
    ["mcp_git_pu*", mcp("git", "push"), true, true],
    ["mcp__*", mcp("git", "push"), true, true],
    ["mcp__git", mcp("git_evil", "push"), false, false],
    ["mcp_git_*", mcp("git_evil", "push"), false, true],
    ["mcp__git__pull", mcp("git", "push"), false, false],
    ["run_shell_command", { ...mcp("x", "y"), kind: "shell" }, false, false],
    ["*", mcp("git", "push"), true, true],
  ])("%s", (pattern, call, allowed, denied) => {
    expect(answer(call, "default", [rule("allow", pattern)])).toBe(allowed ? "allow" : "ask");
    expect(answer(call, "yolo", [rule("deny", pattern)])).toBe(denied ? "deny" : "allow");
  });
  it("are denied by any text of their input, and not allowed by one", () => {
    const call = mcp("db", "query", { deep: [{ sql: "drop table x" }] });
    expect(answer(call, "yolo", [rule("deny", "mcp__db", prefix("drop"))])).toBe("deny");
    expect(answer(call, "default", [rule("allow", "mcp__db", prefix("drop"))])).toBe("ask");
  });
});

it("modes are understood in every product's spelling", () => {
  expect(
    [
      "auto_edit",
      "acceptEdits",
      "accept_edits",
      "dont_ask",
      "bypassPermissions",
      "bypass_permissions",
      "YOLO",
      "plan",
      "nonsense",
      "constructor",
    ].map(parseMode),
  ).toEqual(["autoEdit", "autoEdit", "autoEdit", "dontAsk", "yolo", "yolo", "yolo", "plan", undefined, undefined]);
});
