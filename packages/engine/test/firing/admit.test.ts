import { describe, expect, it } from "vitest";
import { lanes } from "../../src/firing/admit.ts";
import { admitted } from "../../src/firing/index.ts";
import type { Scope } from "../../src/protocol/index.ts";
import { entryOf } from "./scripted.ts";

const of = (scope: Scope, more = {}) => entryOf("gemini", "BeforeTool", { scope, same: "twin", ...more });
const nothing = () => undefined;

describe("the same hook configured twice", () => {
  it.each<[Scope, Scope, 0 | 1]>([
    ["project", "user", 1],
    ["project", "system", 1],
    ["project", "systemDefaults", 1],
    ["local", "user", 1],
    ["extension", "systemDefaults", 1],
    ["project", "extension", 0],
    ["project", "project", 0],
    ["local", "project", 0],
    ["user", "system", 0],
    ["flag", "project", 0],
    ["user", "extension", 0],
    ["flag", "user", 0],
  ])("in %s and then in %s runs once", (first, second, winner) => {
    const entries = [of(first), of(second)];
    const { entries: running, changed } = admitted(entries, nothing);
    expect(running).toEqual([entries[winner]]);
    expect([...changed]).toEqual([
      [entries[1 - winner]?.id, { status: "duplicate", why: expect.stringContaining(entries[winner]?.id ?? "?"), by: entries[winner]?.id }],
    ]);
  });
  it("runs the user's copy among three, in the user's place", () => {
    const entries = [of("project"), of("user"), of("system")];
    expect(admitted(entries, nothing).entries).toEqual([entries[1]]);
  });
  it("runs from the next place where this firing refuses the first", () => {
    const entries = [of("user"), of("project"), of("project", { same: "single" })];
    const { entries: running, changed } = admitted(entries, (entry) =>
      entry === entries[0] ? { status: "spent", why: "it has run" } : undefined,
    );
    expect(running).toEqual([entries[1], entries[2]]);
    expect([...changed]).toEqual([[entries[0]?.id, { status: "spent", why: "it has run" }]]);
  });
});

describe("lanes", () => {
  it("hold the entries of one group in order, and everybody else alone", () => {
    const entries = [of("user", { lane: 5 }), of("user", { lane: 1 }), of("user", { lane: 5 })];
    expect(lanes(entries)).toEqual([[entries[0], entries[2]], [entries[1]]]);
    expect(lanes([])).toEqual([]);
  });
});
