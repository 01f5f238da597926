import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Entry, Problem } from "../../src/protocol/index.ts";
import { createFingerprints, createGate, createTrustStore, type GateOptions, type Notice, type Unapproved } from "../../src/trust/index.ts";
import { gemini, hook, machine, on, PROJECT, SYSTEM, USER } from "../settings/machine.ts";

type Policy =
  | { readonly policy: "warn"; readonly announce: (notice: Notice) => void }
  | { readonly policy: "ask"; readonly ask: (notice: Notice) => Promise<boolean> }
  | { readonly policy: "require" };

function set(files: Readonly<Record<string, unknown>>, hooks: readonly unknown[]) {
  const world = machine({ ...files, [PROJECT]: on("BeforeTool", hooks) });
  const reported: Problem[] = [];
  const gate = (policy: Policy) => {
    const options: GateOptions = {
      ...policy,
      projectDir: world.project,
      store: createTrustStore(world.where),
      fingerprints: createFingerprints([gemini], world.where),
      report: (problem) => reported.push(problem),
    };
    return createGate(options);
  };
  return { world, gate, reported, entries: () => world.registry().entries, store: createTrustStore(world.where) };
}
const approve = ({ world, store, entries }: ReturnType<typeof set>) => {
  const prints = createFingerprints([gemini], world.where);
  store.approve(
    world.project,
    entries().map((entry) => ({ entry, fingerprint: prints.of(entry) })),
  );
};
const told = (notices: readonly Notice[]) => notices.map(({ command, change, why }) => [command, change, why]);
const whys = (refused: ReadonlyMap<string, Unapproved>) => [...refused.values()].map(({ status, why }) => [status, why]);
const sync = (answer: ReadonlyMap<string, Unapproved> | Promise<ReadonlyMap<string, Unapproved>>) => {
  if (answer instanceof Promise) throw new Error("it had to wait");
  return answer;
};

test("warn announces the full command of what is new, remembers it as seen, and is silent then", () => {
  const there = set({ "project/x.sh": "one" }, [hook("./x.sh --long 'with arguments'", { name: "n" }), hook("true")]);
  const notices: Notice[] = [];
  const gate = there.gate({ policy: "warn", announce: (notice) => notices.push(notice) });
  expect(sync(gate.admit(there.entries())).size).toBe(0);
  expect(told(notices)).toEqual([
    ["./x.sh --long 'with arguments'", "new", "it was never approved"],
    ["true", "new", "it was never approved"],
  ]);
  expect(notices[0]?.fingerprint.scripts.map(({ path }) => path)).toEqual([there.world.path("project/x.sh")]);
  sync(gate.admit(there.entries()));
  sync(there.gate({ policy: "warn", announce: (notice) => notices.push(notice) }).admit(there.entries()));
  expect(notices).toHaveLength(2);
  expect([...there.store.hooksOf(there.world.project).values()].map(({ state }) => state)).toEqual(["seen", "seen"]);
});

test("a command with arguments of its own is shown word for word", () => {
  const there = set({}, [hook("true")]);
  const notices: Notice[] = [];
  const exec = { kind: "exec" as const, file: "my prog", args: ["a b", "--x", "it's"], env: {} };
  const entries = there.entries().map((entry): Entry => ({ ...entry, run: exec }));
  sync(there.gate({ policy: "warn", announce: (notice) => notices.push(notice) }).admit(entries));
  expect(notices.map(({ command }) => command)).toEqual([`"my prog" "a b" --x "it's"`]);
});

test("a script that changes is announced again before it runs, also in the middle of a session", () => {
  const there = set({ "project/x.sh": "one" }, [hook("./x.sh")]);
  const notices: Notice[] = [];
  const gate = there.gate({ policy: "warn", announce: (notice) => notices.push(notice) });
  sync(gate.admit(there.entries()));
  there.world.write("project/x.sh", "two");
  sync(gate.admit(there.entries()));
  expect(told(notices)[1]).toEqual(["./x.sh", "changed", `its script ${there.world.path("project/x.sh")} changed since it was last shown`]);
});

test("a definition that changes is announced as changed, another hook as new", () => {
  const there = set({}, [hook("true", { name: "n" })]);
  const notices: Notice[] = [];
  const policy: Policy = { policy: "warn", announce: (notice) => notices.push(notice) };
  sync(there.gate(policy).admit(there.entries()));
  there.world.write(PROJECT, on("BeforeTool", [hook("true; curl evil", { name: "n" }), hook("b")]));
  sync(there.gate(policy).admit(there.entries()));
  expect(told(notices).slice(1)).toEqual([
    ["true; curl evil", "changed", "its definition changed since it was last shown"],
    ["b", "new", "it was never approved"],
  ]);
});

test("require runs only what was approved, and having been warned is no approval", () => {
  const there = set({ "project/x.sh": "one" }, [hook("./x.sh", { name: "n" })]);
  const gate = there.gate({ policy: "require" });
  expect(whys(sync(gate.admit(there.entries())))).toEqual([["unapproved", "it was never approved"]]);
  sync(there.gate({ policy: "warn", announce: () => undefined }).admit(there.entries()));
  const refused = sync(gate.admit(there.entries()));
  expect(whys(refused)).toEqual([["unapproved", "it was shown and never approved"]]);
  expect([...refused.values()][0]?.problem).toMatchObject({
    code: "HOOK_UNAPPROVED",
    found: "./x.sh",
    hook: "n",
    place: { file: there.world.path(PROJECT) },
  });
  approve(there);
  expect(sync(gate.admit(there.entries())).size).toBe(0);
  there.world.write("project/x.sh", "two");
  expect(whys(sync(gate.admit(there.entries())))).toEqual([
    ["unapproved", `its script ${there.world.path("project/x.sh")} changed since it was approved`],
  ]);
  there.world.write("project/x.sh", "one");
  expect(sync(gate.admit(there.entries())).size).toBe(0);
});

test("an approval that is taken back elsewhere counts at once", () => {
  const there = set({}, [hook("a")]);
  const gate = there.gate({ policy: "require" });
  approve(there);
  expect(sync(gate.admit(there.entries())).size).toBe(0);
  there.store.revoke(there.world.project);
  expect(sync(gate.admit(there.entries())).size).toBe(1);
});

test("only a project's hooks are looked at, and none that cannot run", () => {
  const there = set(
    {
      [USER]: on("BeforeTool", [hook("u")]),
      [SYSTEM]: on("BeforeTool", [hook("s")]),
      "home/.gemini/extensions/e/hooks/hooks.json": on("BeforeTool", [hook("e")]),
    },
    [hook("p"), { type: "http" }],
  );
  expect([...sync(there.gate({ policy: "require" }).admit(there.entries())).keys()]).toEqual(["gemini:project:BeforeTool[0].hooks[0]"]);
});

test("ask waits for a yes, which is an approval, and asks one at a time", async () => {
  const there = set({}, [hook("a"), hook("b")]);
  let open = 0;
  const asked: string[] = [];
  const gate = there.gate({
    policy: "ask",
    ask: async ({ command }) => {
      expect(++open).toBe(1);
      asked.push(command);
      await sleep(20);
      open -= 1;
      return command === "a";
    },
  });
  const answers = await Promise.all([gate.admit(there.entries()), gate.admit(there.entries())]);
  expect(asked).toEqual(["a", "b"]);
  for (const refused of answers)
    expect([...refused].map(([id, { why }]) => [id, why])).toEqual([["gemini:project:BeforeTool[0].hooks[1]", "you said no"]]);
  expect([...there.store.hooksOf(there.world.project).values()].map(({ command, state }) => [command, state])).toEqual([["a", "approved"]]);
  expect(whys(await gate.admit(there.entries()))).toEqual([["unapproved", "you said no"]]);
  expect(asked).toHaveLength(2);
});

test("what is approved needs no question, and no waiting", () => {
  const there = set({}, [hook("a")]);
  approve(there);
  const gate = there.gate({ policy: "ask", ask: () => Promise.reject(new Error("nobody should ask")) });
  expect(sync(gate.admit(there.entries())).size).toBe(0);
});

test("a yes to something that changed meanwhile is asked again", async () => {
  const there = set({ "project/x.sh": "one" }, [hook("./x.sh")]);
  const asked: string[] = [];
  const gate = there.gate({
    policy: "ask",
    ask: async ({ fingerprint }) => {
      if (asked.length === 0) there.world.write("project/x.sh", "two");
      asked.push(fingerprint.digest);
      return true;
    },
  });
  expect((await gate.admit(there.entries())).size).toBe(0);
  expect(new Set(asked).size).toBe(2);
  expect([...there.store.hooksOf(there.world.project).values()][0]?.digest).toBe(asked[1]);
});

test("a question that fails is a no", async () => {
  const there = set({}, [hook("a")]);
  const gate = there.gate({ policy: "ask", ask: () => Promise.reject(new Error("no terminal")) });
  expect(whys(await gate.admit(there.entries()))).toEqual([["unapproved", "nobody could be asked: no terminal"]]);
});

test("a store that cannot be written is reported once a decision, and the decision counts", () => {
  const there = set({ "home/.carabiner": "in the way" }, [hook("a")]);
  const notices: Notice[] = [];
  const gate = there.gate({ policy: "warn", announce: (notice) => notices.push(notice) });
  for (let i = 0; i < 3; i++) sync(gate.admit(there.entries()));
  expect([notices.length, there.reported.map(({ code }) => code)]).toEqual([1, ["TRUST_STORE_UNWRITABLE"]]);
});

test("copies of one hook are asked for once", async () => {
  const there = set({}, [hook("a"), hook("a")]);
  let asked = 0;
  const gate = there.gate({ policy: "ask", ask: async () => ++asked > 0 });
  const entries: readonly Entry[] = there.entries();
  expect([(await gate.admit(entries)).size, asked]).toEqual([0, 1]);
});
