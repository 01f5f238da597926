import { expect, test } from "vitest";
import { isFresh, isSameStamp, stampOf } from "../../src/settings/stamps.ts";
import { machine } from "./machine.ts";

test.each([
  ["a change of just now could be followed by another on the same tick", 10_000.5, 10_000.5, 10_020, true],
  ["a change of some time ago could not", 10_000.5, 10_000.5, 10_060, false],
  ["where only whole seconds are kept it takes longer", 10_000, 10_000, 11_500, true],
  ["and is over after two of them", 10_000, 10_000, 12_100, false],
  ["the newer of the two times counts", 1, 10_000.5, 10_020, true],
  ["a time that lies ahead is never old enough", 99_000.5, 1, 10_000, true],
])("%s", (_, mtimeMs, ctimeMs, now, fresh) => {
  expect(isFresh({ mtimeMs, ctimeMs }, now)).toBe(fresh);
});

test("missing files, files below files and files have different stamps", () => {
  const world = machine({ "project/file": "x" });
  const stamps = ["project/none", "project/file/below", "project/file", "project"].map((name) => stampOf(world.path(name)));
  for (const [i, one] of stamps.entries()) for (const [j, other] of stamps.entries()) expect(isSameStamp(one, other)).toBe(i === j);
  expect(stamps[0]?.seen).toBe("missing");
  expect(stampOf(world.path("project/file")).fresh).toBe(true);
});
