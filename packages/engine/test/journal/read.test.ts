import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFileName } from "../../src/journal/folder.ts";
import { findFiring, readJournal } from "../../src/journal/index.ts";
import type { JournalLine } from "../../src/protocol/index.ts";
import { fired, folder, plan, quiet, registry } from "./sample.ts";

const at = (second: number): string => new Date(Date.UTC(2025, 10, 30, 12, 0, second)).toISOString();
const firing = (id: string, second: number, session = "s1"): JournalLine => fired(id, { at: at(second), session });

/** A file of another process, last written to at that second. */
function file(dir: string, second: number, lines: readonly (JournalLine | string)[], pid = 7): string {
  const when = Date.UTC(2025, 10, 30, 12, 0, second);
  const path = join(dir, journalFileName(when, pid, 1));
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  utimesSync(path, when / 1000, when / 1000);
  return path;
}
const idsOf = ({ stories }: ReturnType<typeof readJournal>): readonly string[] => stories.map((story) => story.fired.id);

describe("reading a journal", () => {
  it("finds nothing in a folder that does not exist, and says what is wrong with one that is none", () => {
    expect(readJournal(join(folder(), "missing"))).toEqual({ stories: [], quiet: [], problems: [] });
    const dir = folder();
    writeFileSync(join(dir, "file"), "");
    expect(readJournal(join(dir, "file"))).toMatchObject({
      stories: [],
      problems: [{ code: "JOURNAL_BAD_LINE", place: { path: join(dir, "file") } }],
    });
  });

  it("joins every firing with its plan and registry, in the order in which they began, across processes", () => {
    const dir = folder();
    file(dir, 20, [registry(), plan(), firing("a", 1), firing("d", 19)], 7);
    file(dir, 10, [registry("r1", "./elsewhere.sh"), plan(), firing("b", 5), firing("c", 6)], 8);
    const reading = readJournal(dir);
    expect(idsOf(reading)).toEqual(["a", "b", "c", "d"]);
    expect(reading.problems).toEqual([]);
    expect(reading.stories.map(({ entries }) => entries[0]?.command)).toEqual([
      "./guard.sh",
      "./elsewhere.sh",
      "./elsewhere.sh",
      "./guard.sh",
    ]);
    expect(reading.stories[0]?.entries.map(({ id, status, why, run }) => [id, status, why, run?.stdout])).toEqual([
      ["e0", "ok", undefined, "{}"],
      ["e1", "notMatched", "its matcher does not fit", undefined],
    ]);
  });

  it("gives the last ones by time, whichever process wrote them, and looks at no file that cannot hold one", () => {
    const dir = folder();
    file(dir, 3, ["garbage that is never looked at"], 6);
    file(dir, 20, [registry(), plan(), firing("a", 1), firing("d", 19)], 7);
    file(dir, 10, [registry(), plan(), firing("b", 5), firing("c", 9)], 8);
    expect(idsOf(readJournal(dir, { last: 2 }))).toEqual(["c", "d"]);
    expect(idsOf(readJournal(dir, { last: 3 }))).toEqual(["b", "c", "d"]);
    expect(readJournal(dir, { last: 1 }).problems).toEqual([]);
    expect(idsOf(readJournal(dir, { last: 0 }))).toEqual([]);
    const all = readJournal(dir, { last: 9 });
    expect(idsOf(all)).toEqual(["a", "b", "c", "d"]);
    expect(all.problems).toHaveLength(1);
  });

  it("gives those of one session, or one firing", () => {
    const dir = folder();
    file(dir, 20, [registry(), plan(), firing("a", 1), firing("b", 2, "s2"), quiet(), quiet({ session: "s2", count: 9 })]);
    expect(idsOf(readJournal(dir, { session: "s2" }))).toEqual(["b"]);
    expect(readJournal(dir, { session: "s2" }).quiet).toEqual([quiet({ session: "s2", count: 9 })]);
    expect(readJournal(dir, { firing: "a" })).toMatchObject({ stories: [{ fired: { id: "a" } }], quiet: [] });
    expect(idsOf(readJournal(dir, { firing: "none" }))).toEqual([]);
  });

  it("gives the counts of quiet firings of the time that was asked for", () => {
    const dir = folder();
    const [early, lateOnes] = [quiet({ lastAt: at(2) }), quiet({ lastAt: at(30) })];
    file(dir, 20, [registry(), plan(), firing("a", 1), early, firing("b", 10), lateOnes]);
    expect(readJournal(dir).quiet).toEqual([early, lateOnes]);
    expect(readJournal(dir, { last: 1 }).quiet).toEqual([lateOnes]);
  });

  it("leaves out what cannot be read and says which lines, and why", () => {
    const dir = folder();
    const good = JSON.stringify(firing("a", 1));
    const path = file(dir, 20, [
      JSON.stringify(registry()),
      plan(),
      "no JSON",
      "[1]",
      good.replace('"version":1', '"version":2'),
      good.replace('"status":"ok"', '"status":"fine"'),
      good.replace('"plan":"r1.1"', '"plan":"r9.9"'),
      `{"kind":"telegram","version":1}`,
      good,
      "",
    ]);
    appendFileSync(path, good.slice(0, 40));
    const { stories, problems } = readJournal(dir);
    expect(stories.map((story) => story.fired.id)).toEqual(["a"]);
    const found = problems.map(({ code, place, what }) => [code, "line" in place ? place.line : place, what]);
    found.sort(([, a], [, b]) => Number(a) - Number(b));
    expect(found).toEqual([
      ["JOURNAL_BAD_LINE", 3, expect.stringContaining("it is not JSON")],
      ["JOURNAL_BAD_LINE", 4, expect.stringContaining("it is not an object")],
      ["JOURNAL_BAD_LINE", 5, expect.stringContaining("version 2, and 1 is known")],
      ["JOURNAL_BAD_LINE", 6, expect.stringContaining("runs.0.status")],
      ["JOURNAL_BAD_LINE", 7, expect.stringContaining("its plan line is missing")],
      ["JOURNAL_BAD_LINE", 8, expect.stringContaining("cannot be read")],
      ["JOURNAL_BAD_LINE", 11, expect.stringContaining("the file ends in the middle of it")],
    ]);
  });

  it("reads lines whose keys stand in another order, with keys of a later version, and hostile names", () => {
    const dir = folder();
    const { statuses, ...others } = plan();
    const reordered = JSON.stringify({ statuses, ...others });
    const { version, kind, id, ...rest } = fired("a", { facts: JSON.parse('{"__proto__":{"x":1}}') });
    file(dir, 20, [registry(), reordered, JSON.stringify({ ...rest, later: true, id, kind, version })]);
    const [story] = readJournal(dir, { firing: "a" }).stories;
    expect(JSON.stringify(story?.fired.facts)).toBe('{"__proto__":{"x":1}}');
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("passes over what is not a journal file", () => {
    const dir = folder();
    mkdirSync(join(dir, journalFileName(0, 1, 1)));
    writeFileSync(join(dir, "journal.jsonl"), "x\n");
    expect(readJournal(dir)).toEqual({ stories: [], quiet: [], problems: [] });
  });

  it("looks for the last firing in no older file than it must", () => {
    const dir = folder();
    file(dir, 20, [registry(), plan(), firing("older", 1), "no JSON"]);
    file(dir, 30, [registry(), plan(), firing("newest", 29)]);
    expect(readJournal(dir).problems).toHaveLength(1);
    const last = readJournal(dir, { last: 1 });
    expect(idsOf(last)).toEqual(["newest"]);
    expect(last.problems, "the older file was read").toEqual([]);
  });
});

describe("finding a firing", () => {
  it("takes an id, the beginning of one, or the word last", () => {
    const dir = folder();
    file(dir, 20, [registry(), plan(), firing("abc1", 1), firing("abd2", 2)]);
    file(dir, 30, [registry(), plan(), firing("xyz", 3), firing("abc", 4)], 8);
    expect(findFiring(dir, "last").story?.fired.id).toBe("abc");
    expect(findFiring(dir, "xy").story?.fired.id).toBe("xyz");
    expect(findFiring(dir, "abd2").story?.fired.id).toBe("abd2");
    expect(findFiring(dir, "abc").story?.fired.id).toBe("abc");
  });

  it("says which firings a beginning fits, and that there is none", () => {
    const dir = folder();
    file(dir, 20, [registry(), plan(), firing("abc1", 1), firing("abd2", 2)]);
    expect(findFiring(dir, "ab")).toEqual({ story: undefined, candidates: ["abd2", "abc1"], problems: [] });
    expect(findFiring(dir, "q")).toEqual({ story: undefined, candidates: [], problems: [] });
    expect(findFiring(join(dir, "missing"), "last")).toEqual({ story: undefined, candidates: [], problems: [] });
  });
});
