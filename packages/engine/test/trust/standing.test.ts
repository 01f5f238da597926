import { expect, test } from "vitest";
import { createFingerprints, createTrustStore, standings } from "../../src/trust/index.ts";
import { gemini, hook, machine, on, PROJECT } from "../settings/machine.ts";

test("each hook stands as new, seen, approved or changed, and says since when or why", () => {
  const world = machine({
    [PROJECT]: on("BeforeTool", [
      hook("./a.sh", { name: "a" }),
      hook("./b.sh", { name: "b" }),
      hook("echo c"),
      hook("echo d", { name: "d" }),
    ]),
    "project/a.sh": "#!/bin/sh\n",
    "project/b.sh": "#!/bin/sh\n",
  });
  const store = createTrustStore(world.where, () => new Date("2026-01-02T03:04:05Z"));
  const judged = () => {
    const prints = createFingerprints([gemini], world.where);
    return world.registry().entries.map((entry) => ({ entry, fingerprint: prints.of(entry) }));
  };
  const [a, b, , d] = judged();
  if (!a || !b || !d) throw new Error("three hooks are configured");
  store.approve(world.project, [a, d]);
  store.seen(world.project, [b]);
  const now = () => standings(judged(), store.hooksOf(world.project)).map(({ state, why, at }) => ({ state, why, at }));
  const at = "2026-01-02T03:04:05.000Z";
  expect(now()).toEqual([
    { state: "approved", why: undefined, at },
    { state: "seen", why: undefined, at },
    { state: "new", why: "it was never approved", at: undefined },
    { state: "approved", why: undefined, at },
  ]);
  world.write("project/a.sh", "#!/bin/sh\nexit 0\n");
  world.write(
    PROJECT,
    on("BeforeTool", [hook("./a.sh", { name: "a" }), hook("./b.sh", { name: "b" }), hook("echo c"), hook("echo e", { name: "d" })]),
  );
  expect(now()).toEqual([
    { state: "changed", why: `its script ${world.path("project/a.sh")} changed since it was approved`, at: undefined },
    { state: "seen", why: undefined, at },
    { state: "new", why: "it was never approved", at: undefined },
    { state: "changed", why: "its definition changed since it was approved", at: undefined },
  ]);
});
