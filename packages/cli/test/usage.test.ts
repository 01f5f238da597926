// What people type who do not know the commands yet: help as a word, words that are no command, options that are none.
import { expect, test } from "vitest";
import { testMachine } from "./test-io.ts";

test("help is a command, too, alone and before a command; with more words it is a prompt", async () => {
  const machine = testMachine();
  expect(await machine.run(["help"])).toEqual(await machine.run(["--help"]));
  expect(await machine.run(["help", "fire"])).toEqual(await machine.run(["fire", "--help"]));
  expect(await machine.run(["help", "me"])).toMatchObject({ code: 41 });
});

test("the help of completion names no command that is hidden", async () => {
  expect((await testMachine().run(["completion", "--help"])).out).toMatch(/^Usage: carabiner completion \[options\] \[shell\]\n/);
});

test("wrong usage says where to read on, at the very command", async () => {
  const machine = testMachine();
  expect((await machine.run(["fire"])).err).toBe("error: missing required argument 'event'\ncarabiner fire --help says what there is.\n");
  expect((await machine.run(["hooks", "add"])).err).toContain("\ncarabiner hooks add --help says");
  expect(await machine.run(["--nope", "x"])).toEqual({
    code: 42,
    out: "",
    err: "error: unknown option '--nope'\ncarabiner --help says what there is.\n",
  });
});

test("a word that is no command of `hooks` is named, with the one that was meant", async () => {
  const { code, out, err } = await testMachine().run(["hooks", "disabel", "x"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain('"disabel" is no command of carabiner hooks. Did you mean "disable"?');
});

test.each([
  "",
  "demo",
  "fire",
  "explain",
  "log",
  "hooks",
  "hooks add",
  "hooks list",
  "trust",
  "trust approve",
  "doctor",
  "init",
  "completion",
])("the help of `carabiner %s` fits a window of 80 columns", async (command) => {
  const { code, out } = await testMachine().run([...command.split(" ").filter(Boolean), "--help"]);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
