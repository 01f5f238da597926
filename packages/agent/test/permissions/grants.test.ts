/** Answers that last: what can be granted, in a session and on disk. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decide, type Grants, grantChoices, openGrants, type PolicyCall } from "../../src/permissions/index.ts";
import { mcp, shell, write } from "./call.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "grants-"));
  file = join(folder, "state", "grants.json");
  mkdirSync(join(folder, "app"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (project = "app"): Grants => openGrants({ file, project: join(folder, project), now: () => new Date("2026-01-02T03:04:05Z") });
const answer = (grants: Grants, call: PolicyCall) => decide({ call, mode: "default", rules: grants.rules(), interactive: true }).answer;
const choose = (call: PolicyCall) => grantChoices(call)[0]?.grants ?? [];

describe("what may be granted", () => {
  it.each<[string, string[]]>([
    ["git push origin main", ["git push:*"]],
    ["ls -la && git status", ["ls:*", "git status:*"]],
    ["git --version", ["git --version"]],
    ["sudo apt install x", ["sudo apt install x"]],
    ["python3 x.py", ["python3 x.py"]],
    ["echo hi > f", ["echo hi > f"]],
    ["X=1 ls", ["X=1 ls"]],
    ["ls $(git push)", ["git push:*", "ls:*"]],
    ["ls 'unclosed", ["ls 'unclosed"]],
  ])("of %j", (command, expected) => {
    expect(choose(shell(command)).map(({ argument }) => `${argument?.pattern}${argument?.kind === "prefix" ? ":*" : ""}`)).toEqual(
      expected,
    );
  });
  it("covers the very call that it was offered for", () => {
    for (const command of ["git push origin main", "ls -la && git status", "echo hi > f", "X=1 ls", "python3 x.py", "ls 'unclosed"]) {
      const grants = open();
      grants.give(choose(shell(command)), "session");
      expect([command, answer(grants, shell(command))]).toEqual([command, "allow"]);
    }
  });
  it("of an MCP tool is the tool, then its server", () => {
    expect(grantChoices(mcp("git", "push")).map((choice) => choice.grants[0]?.tool.text)).toEqual(["mcp__git__push", "mcp__git"]);
  });
});

describe("a session's answer", () => {
  it("counts in this session only", () => {
    const grants = open();
    expect(grants.give(choose(write("a")), "session")).toBeUndefined();
    expect(answer(grants, write("b"))).toBe("allow");
    expect(answer(open(), write("b"))).toBe("ask");
  });
});

describe("a saved answer", () => {
  it("counts in later sessions of this project only", () => {
    open().give(choose(shell("git push")), "project");
    expect(answer(open(), shell("git push -f"))).toBe("allow");
    expect(answer(open("other"), shell("git push -f"))).toBe("ask");
    expect(open().rules()[0]?.source).toMatchObject({ file, scope: "grant" });
  });
  it("is beside those of other projects and sessions, once, and for the owner's eyes only", () => {
    const first = open();
    const second = open("other");
    const third = open();
    first.give(choose(shell("git push")), "project");
    second.give(choose(shell("ls")), "project");
    third.give(choose(write("a")), "project");
    third.give(choose(write("a")), "project");
    const { projects } = JSON.parse(readFileSync(file, "utf8"));
    expect(Object.values(projects).map((list) => (Array.isArray(list) ? list.length : 0))).toEqual([2, 1]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "state")).mode & 0o777).toBe(0o700);
  });
  it("in a damaged file does not count, and the file is not overwritten", () => {
    mkdirSync(join(folder, "state"));
    for (const damage of ["{", '{"version": 2, "projects": {}}', '{"version": 1, "projects": {"/x": [{"tool": "all"}]}}']) {
      writeFileSync(file, damage);
      const grants = open();
      expect(grants.problem?.what).toContain("not what this version writes");
      expect(grants.give(choose(write("a")), "project")?.what).toContain("not what this version writes");
      expect(answer(grants, write("a"))).toBe("allow");
      expect(readFileSync(file, "utf8")).toBe(damage);
    }
  });
  it.skipIf(process.getuid?.() === 0)("that cannot be saved counts in this session", () => {
    chmodSync(folder, 0o500);
    const grants = open();
    expect(grants.give(choose(write("a")), "project")).toMatchObject({ file, now: "It counts in this session only." });
    chmodSync(folder, 0o700);
    expect(answer(grants, write("a"))).toBe("allow");
  });
  it("that has nowhere to go counts in this session", () => {
    writeFileSync(join(folder, "state"), "a file where the folder should be");
    const grants = open();
    expect(grants.give(choose(write("a")), "project")?.now).toBeDefined();
    expect(answer(grants, write("a"))).toBe("allow");
  });
});
