/** The splitter of shell commands: what runs, wherever it hides. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { describe, expect, it } from "vitest";
import { shellParts } from "../../src/firing/index.ts";

const outer = (command: string) => shellParts(command).parts.filter((part) => !part.outer);
const texts = (command: string) => outer(command).map((part) => part.words.join(" "));
const inner = (command: string) =>
  shellParts(command)
    .parts.filter((part) => part.outer)
    .map((part) => part.words.join(" "));

describe("what separates commands", () => {
  it.each<[string, string[]]>([
    ["git status", ["git status"]],
    ["a && b || c ; d | e & f |& g", ["a", "b", "c", "d", "e", "f", "g"]],
    ["a\nb\r\nc", ["a", "b", "c"]],
    ["a;b", ["a", "b"]],
    ["(a; b) && { c; d; }", ["a", "b", "c", "d"]],
    ["git \\\n  push", ["git push"]],
    ["git pu\\\nsh", ["git push"]],
    ["a # ; b\nc", ["a", "c"]],
    ["echo a#b", ["echo a#b"]],
    ["", []],
    ["  \n ", []],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while ! a; do b; done", ["a", "b"]],
    ["for x in 1 2; do rm $x; done", ["rm $x"]],
    ["case x in a) b;; (c) d;; esac; e", ["case x in a", "b", "c", "d", "e"]],
    ["f() { rm x; }", ["f", "rm x"]],
    ["function f { rm x; }", ["rm x"]],
    ["time git push", ["git push"]],
  ])("%j", (command, expected) => {
    expect(shellParts(command).complete).toBe(true);
    expect(texts(command)).toEqual(expected);
  });
});

describe("quotes", () => {
  it.each<[string, string[]]>([
    ["echo 'a; b && c'", ["echo a; b && c"]],
    ['echo "a | b"', ["echo a | b"]],
    ['"git" p"us"h', ["git push"]],
    ["g\\it push", ["git push"]],
    ["$'\\x67it' push", ["git push"]],
    ["echo 'it'\\''s'", ["echo it's"]],
    ['echo "a\\"; b"', ['echo a"; b']],
    ["echo a\\;b", ["echo a;b"]],
    ['echo "cost $" x', ["echo cost $ x"]],
    ["'if' a", ["if a"]],
  ])("%j", (command, expected) => {
    expect(texts(command)).toEqual(expected);
  });
});

describe("commands inside words", () => {
  it.each<[string, string[]]>([
    ["echo $(git push)", ["git push", "echo $(...)"]],
    ["echo `git push`", ["git push", "echo $(...)"]],
    ['echo "x $(git push) y"', ["git push", "echo x $(...) y"]],
    ["echo '$(git push)'", ["echo $(git push)"]],
    ["echo $(echo $(git push))", ["git push", "echo $(...)", "echo $(...)"]],
    ["echo `echo \\`git push\\``", ["git push", "echo $(...)", "echo $(...)"]],
    ["diff <(git push) x", ["git push", "diff <(...) x"]],
    ["a > >(git push)", ["git push", "a"]],
    ["echo ${x:-$(git push)}", ["git push", "echo ${x:-$(...)}"]],
    ["echo $((1 + 2))", ["echo $((1 + 2))"]],
    ['echo "$(case x in a) git push;; esac)"', ["case x in a", "git push", "echo $(...)"]],
    ["$(git push) && $(rm x)", ["git push", "$(...)", "rm x", "$(...)"]],
  ])("%j", (command, expected) => {
    expect(texts(command)).toEqual(expected);
  });

  it("looks for commands in brackets that only resemble a sum", () => {
    expect(texts("echo $((git push); (rm x))")).toContain("rm x");
  });
});

describe("redirections", () => {
  it.each<[string, boolean]>([
    ["git log > f", true],
    ["git log >> f", true],
    ["git log >| f", true],
    ["git log &> f", true],
    ["git log >& f", true],
    ["git log <> f", true],
    ["> f", true],
    ["(git log) > f", true],
    ["git log > /dev/null", false],
    ["git log 2>&1", false],
    ["git log 2>/dev/null", false],
    ["git log < f", false],
    ["git log <<< text", false],
  ])("%j writes to a file: %s", (command, writes) => {
    expect(outer(command).some((part) => part.writes)).toBe(writes);
    expect(
      texts(command)
        .filter((text) => text !== "")
        .every((text) => text === "git log"),
    ).toBe(true);
  });
});

describe("here-documents", () => {
  it("are data", () => {
    expect(texts("cat <<EOF\nrm -rf /\nEOF\ngit push")).toEqual(["cat", "git push"]);
  });
  it("run what expands in them, unless their mark is quoted", () => {
    expect(texts("cat <<EOF\n$(git push)\nEOF\n")).toEqual(["cat", "git push"]);
    expect(texts("cat <<'EOF'\n$(git push)\nEOF\n")).toEqual(["cat"]);
    expect(texts("cat <<-EOF\n\t`git push`\n\tEOF\n")).toEqual(["cat", "git push"]);
  });
  it("are scripts for a shell", () => {
    expect(inner("bash <<EOF\ngit push\nEOF\n")).toEqual(["git push"]);
  });
});

describe("assignments", () => {
  it("are told from the command", () => {
    expect(outer("X=1 Y+=2 git push")).toEqual([{ words: ["git", "push"], assignments: ["X=1", "Y+=2"], writes: false }]);
  });
  it("run what they hold", () => {
    expect(texts("X=$(git push)")).toEqual(["git push", ""]);
  });
  it("end at the first word that is none", () => {
    expect(outer("env X=1 git")[0]?.words).toEqual(["env", "X=1", "git"]);
    expect(outer('"X"=1 git')[0]?.words).toEqual(["X=1", "git"]);
  });
});

describe("commands that run others", () => {
  it.each<[string, string[]]>([
    ["sudo -u root rm x", ["rm x"]],
    ["env A=1 B=2 rm x", ["rm x"]],
    ["timeout -k 5 10 rm x", ["rm x"]],
    ["find . -name x -exec rm {} \\;", ["rm {} ;"]],
    ["ls | xargs -n 1 rm", ["rm"]],
    ["bash -lc 'git push && rm x'", ["git push", "rm x"]],
    ["/bin/sh -c 'sudo rm x'", ["sudo rm x", "rm x"]],
    ["eval 'git push'", ["git push"]],
    ["git -C dir push", ["git push"]],
    ["nohup sudo rm x", ["sudo rm x", "rm x"]],
  ])("%j", (command, expected) => {
    expect(inner(command)).toEqual(expected);
  });
});

describe("what is not complete shell", () => {
  it.each(["echo 'a", 'echo "a', "echo $(a", "echo `a", "(a", "a <<EOF\nb", "echo ${a", "a >"])("%j is a guess", (command) => {
    expect(shellParts(command).complete).toBe(false);
  });
  it("is still seen by a guess", () => {
    expect(texts("echo 'a; git push")).toContain("git push");
  });
  it("ends soon for text made to be slow", () => {
    const started = performance.now();
    shellParts("$(".repeat(45_000));
    shellParts("`\\`".repeat(30_000));
    shellParts("a;".repeat(45_000));
    shellParts("{ ".repeat(45_000));
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("a command that carries another", () => {
  it.each<[string, string[]]>([
    ["time -p git push", []],
    ["sudo --user root git push", ["git push"]],
    ["xargs --max-args 1 git push", ["git push"]],
    ["env -S 'git push'", ["git push"]],
    ["bash -c -- 'git push'", ["git push"]],
    ["fish -c 'git push'", ["git push"]],
    ["su root -c 'git push'", ["git push"]],
    ["script -qc 'git push' log", ["git push"]],
    ["flock lock git push", ["git push"]],
    ["flock lock -c 'git push'", ["git push"]],
    ["chroot / git push", ["git push"]],
    ["strace -f -o log git push", ["git push"]],
    ["busybox sh -c 'git push'", ["sh -c git push", "git push"]],
    ["watch -n 1 'git fetch && git push'", ["git fetch", "git push"]],
    ["trap 'git push' EXIT", ["git push"]],
    ["trap - EXIT", []],
    ["trap", []],
  ])("%j", (command, expected) => {
    expect(inner(command)).toEqual(expected);
  });
});

describe("a shell that reads what it runs", () => {
  it.each<[string, string[]]>([
    ["bash <<< 'git push'", ["git push"]],
    ["echo 'git push' | sh", ["git push"]],
    ["echo git push | sh", ["git push", "git", "push"]],
    ["printf 'git fetch\\ngit push' | bash -s", ["git fetch", "git push"]],
    ["echo 'git push' | tee log | sh", ["git push"]],
    ["(echo 'git push') |& sh", ["git push"]],
    ["cat <<END | bash\ngit push\nEND", ["git push"]],
    ["echo 'git push' | sudo sh", ["sh", "git push"]],
    ["echo 'git push' || sh", []],
    ["echo 'git push'; sh", []],
    ["echo 'git push' | cat", []],
    ["cat <<< 'git push'", []],
  ])("%j", (command, expected) => {
    expect(inner(command)).toEqual(expected);
  });
});
