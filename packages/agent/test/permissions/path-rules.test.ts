/** Path rules of Qoder CN's settings: where they start, what a name in them covers, and which tools they speak of. */
import { describe, expect, it } from "vitest";
import { decide, type PolicyCall, qoderRuleSyntax, type Rule, readRules } from "../../src/permissions/index.ts";
import { qoderWords, read, write } from "./call.ts";

type Scope = "project" | "local" | "user" | "flag";
const rules = (effect: Rule["effect"], text: string, scope: Scope = "project"): readonly Rule[] => {
  const found = readRules({ permissions: { [effect]: [text] } }, { file: "f", scope, syntax: qoderRuleSyntax, words: qoderWords });
  expect(found.problems).toEqual([]);
  return found.rules;
};
const answer = (call: PolicyCall, mode: "default" | "yolo", given: readonly Rule[]) =>
  decide({ call, mode, rules: given, interactive: true, cwd: "/work/app", home: "/home/me" }).answer;
const denies = (text: string, call: PolicyCall, scope?: Scope) => answer(call, "yolo", rules("deny", text, scope)) === "deny";
const allows = (text: string, call: PolicyCall, scope?: Scope) => answer(call, "default", rules("allow", text, scope)) === "allow";

describe("a path in a rule", () => {
  it.each<[text: string, file: string, scope: Scope, allowed: boolean, denied: boolean]>([
    // One slash is where the file with the rule belongs to: the project, or the user's home.
    ["Write(/src/**)", "src/a.ts", "project", true, true],
    ["Write(/src/**)", "/work/app/src/a.ts", "local", true, true],
    ["Write(/src/**)", "sub/src/a.ts", "project", false, false],
    ["Write(/notes/**)", "/home/me/notes/a", "user", true, true],
    ["Write(/notes/**)", "/work/app/notes/a", "user", false, false],
    ["Write(/src/**)", "src/a.ts", "flag", true, true],
    // Meant for the whole disk by somebody who wrote one slash: a guard reads it so too, a permission does not.
    ["Write(/etc/**)", "/etc/passwd", "project", false, true],
    // Two slashes are the disk's root.
    ["Write(//etc/**)", "/etc/passwd", "project", true, true],
    ["Write(//work/app/src/**)", "src/a.ts", "user", true, true],
    ["Write(//src/**)", "src/a.ts", "project", false, false],
    ["Write(~/notes/**)", "/home/me/notes/a", "project", true, true],
    // As in ignore files: a name is meant in any folder, and a folder with all that is in it.
    ["Write(*.pem)", "deep/down/x.pem", "project", true, true],
    ["Write(secrets)", "deep/secrets/a", "project", true, true],
    ["Write(secrets/)", "deep/secrets/a", "project", true, true],
    ["Write(secrets/)", "secretss/a", "project", false, false],
    ["Write(/build)", "build/a/b", "project", true, true],
    ["Write(/build)", "sub/build/a", "project", false, false],
    ["Write(config/prod)", "config/prod/a", "project", true, true],
    ["Write(config/prod)", "sub/config/prod/a", "project", false, false],
    ["Write(!src/**)", "lib/a", "project", false, false],
    ["Write(src/a(1).ts)", "src/a(1).ts", "project", true, true],
    ["Write(src/a\\(1\\).ts)", "src/a(1).ts", "project", true, true],
  ])("%s on %s, written in the %s's settings: allow %s, deny %s", (text, file, scope, allowed, denied) => {
    expect(allows(text, write(file), scope)).toBe(allowed);
    expect(denies(text, write(file), scope)).toBe(denied);
  });

  it("is named in the reason as it was written", () => {
    const { because } = decide({
      call: write("/etc/passwd"),
      mode: "yolo",
      rules: rules("deny", "Write(//etc/**)"),
      interactive: true,
      cwd: "/work/app",
      home: "/home/me",
    });
    expect(because).toBe("Denied by the rule Write(//etc/**) (f, permissions.deny[0]).");
  });
});

describe("a rule for one tool", () => {
  const edit = (file: string): PolicyCall => ({ ...write(file), name: "replace", kind: "editFile" });
  it("for Edit with a path speaks of every tool that writes there", () => {
    for (const call of [edit("src/a.ts"), write("src/a.ts")]) {
      expect(denies("Edit(src/**)", call)).toBe(true);
      expect(allows("Edit(src/**)", call)).toBe(true);
    }
    expect(denies("Write(src/**)", edit("src/a.ts"))).toBe(false);
  });
  it("without a path is the tool alone", () => {
    expect(denies("Edit", write("a"))).toBe(false);
    expect(denies("Edit", edit("a"))).toBe(true);
  });

  const many = (...reads: string[]): PolicyCall => ({
    name: "read_many_files",
    kind: "readManyFiles",
    effect: "read",
    input: { include: reads },
    reads,
  });
  const search = (directory: string): PolicyCall => ({
    name: "grep_search",
    kind: "searchText",
    effect: "read",
    input: { pattern: "*.pem", dir_path: directory },
    main: "*.pem",
    reads: [directory],
  });
  it.each<[string, PolicyCall, boolean]>([
    ["Read(*.pem)", read("a.pem"), true],
    ["Read(*.pem)", many("src/a.ts", "keys/a.pem"), true],
    ["Read(*.pem)", many("src/a.ts"), false],
    ["Read(*.pem)", many("**/*"), true],
    ["Read(*.pem)", many("keys/*.{pem,txt}"), true],
    ["Read(*.pem)", many("**/*.ts"), false],
    ["Read(*.pem)", many("**"), true],
    ["Read(secrets/**)", many("**/*"), true],
    ["Read(secrets/**)", many("secrets"), true],
    ["Read(secrets/**)", many("src/**"), false],
    ["Read(//etc/**)", many("src/**"), false],
    ["Read(.env)", search(".env"), true],
    ["Read(secrets/**)", search("secrets/a"), true],
    ["Read(*.pem)", search("src"), false],
    ["Grep(*.pem)", search("src"), true],
  ])("%s denies %o: %s", (text, call, expected) => {
    expect(denies(text, call)).toBe(expected);
  });
  it("allows no other tool because it allows reading a path", () => {
    const ask = rules("ask", "Grep");
    const given = [...ask, ...rules("allow", "Read(*.pem)")];
    expect(answer(search("src"), "default", given)).toBe("ask");
    expect(answer({ ...search("x.pem"), effect: "network" }, "default", rules("allow", "Read(*.pem)"))).toBe("ask");
  });
});

describe("a path that is a link", () => {
  const linked: PolicyCall = { ...write("notes/today"), leadsTo: "/work/app/secrets/key" };
  it("is denied by a rule on either end, and allowed by a rule on both", () => {
    expect(denies("Write(secrets/**)", linked)).toBe(true);
    expect(denies("Write(notes/**)", linked)).toBe(true);
    expect(allows("Write(notes/**)", linked)).toBe(false);
    expect(allows("Write(secrets/**)", linked)).toBe(false);
    expect(allows("Write(/**)", linked)).toBe(true);
  });
});
