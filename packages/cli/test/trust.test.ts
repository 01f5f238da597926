import { expect, test } from "vitest";
import { hook, on, PROJECT, testMachine, USER } from "./test-io.ts";

const files = {
  [PROJECT]: on("BeforeTool", [hook("./a.sh --all 'of it'", { name: "a" }), hook("echo b", { name: "b" })]),
  [USER]: on("BeforeTool", [hook("echo u", { name: "u" })]),
  "project/a.sh": "#!/bin/sh\nexit 0\n",
};

test("the list shows the whole command, the scripts and what has been said of each project hook, and of no other", async () => {
  const machine = testMachine(files);
  const { code, out } = await machine.run(["trust"]);
  expect(code).toBe(0);
  expect(out).toContain(`Folder ${machine.project}: not decided`);
  expect(out).toContain("new       a (BeforeTool)");
  expect(out).toContain("$ ./a.sh --all 'of it'");
  expect(out).toMatch(/script a\.sh sha256 [0-9a-f]{12}\n/);
  expect(out).toContain("None of them is approved as it is now.");
  expect(out).not.toContain("echo u");
});

test("an approval is for a hook exactly as it is: a changed script is told, with the time of nothing else", async () => {
  const machine = testMachine(files);
  const approved = await machine.run(["trust", "approve", "a"]);
  expect(approved).toMatchObject({ code: 0, err: "" });
  expect(approved.out).toContain("$ ./a.sh --all 'of it'");
  expect(approved.out).toContain("Approved: a.");
  expect((await machine.run(["trust", "list", "a"])).out).toMatch(/approved {2}a \(BeforeTool\), since \d{4}-/);
  expect((await machine.run(["trust", "list"])).out).toContain("1 of 2 is not approved as it is now.");
  machine.write("project/a.sh", "#!/bin/sh\nrm -rf x\n");
  const changed = JSON.parse((await machine.run(["trust", "list", "--json"])).out);
  expect(changed).toMatchObject({
    folder: { path: machine.project, by: "nobody" },
    hooks: [
      { name: "a", state: "changed", why: expect.stringContaining("a.sh changed since it was approved") },
      { name: "b", state: "new" },
    ],
  });
  expect(changed.hooks[0].at).toBeUndefined();
});

test("without names everything open is approved, and once is enough", async () => {
  const machine = testMachine(files);
  expect((await machine.run(["trust", "approve"])).out).toContain("Approved: a, b.");
  expect((await machine.run(["trust", "approve"])).out).toContain("Approved already");
  expect((await testMachine().run(["trust", "approve"])).out).toContain("nothing to approve");
});

test.each(["y\n", "YES\n"])("a person at a terminal is asked, and %j approves", async (types) => {
  const machine = testMachine(files);
  const { code, out, err } = await machine.run(["trust", "approve"], { types });
  expect({ code, err }).toEqual({ code: 0, err: "Approve these 2 hooks? [y/N] " });
  expect(out).toContain("Approved: a, b.");
});

test.each(["n\n", "\n", "", "yesterday\n"])("a person at a terminal is asked, and %j approves nothing", async (types) => {
  const machine = testMachine(files);
  const { code, err } = await machine.run(["trust", "approve"], { types });
  expect({ code, err }).toEqual({ code: 1, err: "Approve these 2 hooks? [y/N] Nothing was approved.\n" });
  expect(JSON.parse((await machine.run(["trust", "list", "--json"])).out)).toMatchObject({ hooks: [{ state: "new" }, { state: "new" }] });
});

test("with --yes nobody is asked", async () => {
  const { code, err } = await testMachine(files).run(["trust", "approve", "--yes"], { types: "n\n" });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test("approvals are taken back by name or all, also of hooks that are gone", async () => {
  const machine = testMachine(files);
  await machine.run(["trust", "approve"]);
  expect(await machine.run(["trust", "revoke", "a"])).toMatchObject({ code: 0, out: expect.stringContaining("Taken back: a.") });
  expect(await machine.run(["trust", "revoke", "a"])).toMatchObject({ code: 1, err: expect.stringContaining("nothing to take back") });
  machine.write(PROJECT, {});
  expect((await machine.run(["trust", "revoke"])).out).toContain("Taken back: b.");
  expect((await machine.run(["trust", "revoke"])).out).toContain("nothing to take back");
});

test.each(["list", "approve", "revoke"])("%s of a name that nobody has lists those that there are", async (verb) => {
  const machine = testMachine(files);
  await machine.run(["trust", "approve"]);
  expect(await machine.run(["trust", verb, "nope"])).toEqual({
    code: 1,
    out: "",
    err: 'No hook of this project is called "nope".\nThe project\'s hooks are:\n  a\n  b\n',
  });
});

test("the folder is trusted and not trusted by a word, and its hooks follow", async () => {
  const machine = testMachine(files);
  expect((await machine.run(["trust", "approve", "--folder"])).out).toContain("trusted\n  why: ~/.carabiner/trust.json");
  const revoked = await machine.run(["trust", "revoke", "--folder"]);
  expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining("not trusted") });
  expect((await machine.run(["hooks", "list"])).out).toContain("untrusted  a");
  expect((await machine.run(["fire", "BeforeTool"])).out).toContain("  a  not run: the folder is not trusted\n");
  expect((await machine.run(["fire", "BeforeTool", "--why-not", "a"])).out.replace(/\s+/g, " ")).toContain(
    "did not run at BeforeTool (write_file): the folder is not trusted. To trust the folder: carabiner trust approve --folder.",
  );
  expect((await machine.run(["trust"])).out.replace(/\s+/g, " ")).toContain("None of them runs while the folder is not trusted.");
  expect((await machine.run(["trust", "approve"])).err).toContain("carabiner trust approve --folder");
  expect(JSON.parse((await machine.run(["trust", "approve", "--folder", "--json"])).out)).toMatchObject({ folder: { trusted: true } });
  expect((await machine.run(["hooks", "list"])).out).toContain("enabled  a");
});

test("one is spoken of as one, and a name beside --folder is refused before anything is decided", async () => {
  const machine = testMachine(files);
  await machine.run(["trust", "approve", "a"]);
  expect((await machine.run(["trust", "approve", "a"])).out).toBe("Approved already, exactly as it is; nothing changed.\n");
  await machine.run(["trust", "approve"]);
  expect((await machine.run(["trust", "approve"])).out).toBe("Approved already, exactly as they are; nothing changed.\n");
  expect((await machine.run(["trust", "revoke", "a"])).out).toBe("Taken back: a. Before it runs again you are told or asked.\n");
  expect(await machine.run(["trust", "approve", "b", "--folder"])).toMatchObject({ code: 1, out: "" });
  expect((await machine.run(["trust"])).out).toContain("not decided");
});

test("where something else decides about the folder first, it is named", async () => {
  const machine = testMachine(files);
  const { code, err } = await machine.run(["trust", "approve", "--folder"], { env: { GEMINI_CLI_TRUST_WORKSPACE: "false" } });
  expect(code).toBe(1);
  expect(err.replace(/\s+/g, " ")).toContain("GEMINI_CLI_TRUST_WORKSPACE=false decides first");
});

test("a context file alone makes a decision about the folder necessary", async () => {
  expect((await testMachine().run(["trust"])).out).toContain(": trusted\n  why: nothing in the folder needs trust");
  expect((await testMachine({ "project/GEMINI.md": "Hello." }).run(["trust"])).out).toContain("not decided");
});

test("a store that cannot be written is told, and the answer is no", async () => {
  const machine = testMachine(files);
  machine.write("home/.carabiner", "a file");
  const { code, err } = await machine.run(["trust", "approve"]);
  expect(code).toBe(1);
  expect(err).toContain("trust store cannot be");
});
