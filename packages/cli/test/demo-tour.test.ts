import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTour } from "../src/commands/demo-tour.ts";

const chapter = { title: "One", about: "Something happens.", prompt: "Do it." };
const tour = (expectation: unknown): string =>
  JSON.stringify({ title: "A tour", about: "It shows something.", chapters: [chapter], expect: [expectation] });

test("the tour that comes with carabiner can be read", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "tour", "tour", "tour.json"), "utf8");
  expect(readTour(text)).toMatchObject({ ok: true });
});

test.each([
  ["text that is no JSON", "{", /JSON/],
  ["a list", "[]", /^the file: expected an object$/],
  ["no chapter", '{"title":"A","about":"B","chapters":[],"expect":[]}', /^chapters: expected at least one$/],
  [
    "a chapter without a prompt",
    '{"title":"A","about":"B","chapters":[{"title":"C","about":"D"}],"expect":[]}',
    /^chapters\[0\]\.prompt: expected a text$/,
  ],
  ["an expectation that checks nothing", tour({ that: "all is well" }), /^expect\[0\]: expected one of firing, answer, exists/],
  ["a misspelt check", tour({ that: "it is there", exist: "a" }), /^expect\[0\]\.exist: expected one of/],
  [
    "a hook without its firing",
    tour({ that: "it ran", exists: "a", hook: { name: "a" } }),
    /^expect\[0\]\.hook: expected a firing beside it$/,
  ],
  [
    "an unknown event",
    tour({ that: "it ran", firing: { event: "BeforeTool" } }),
    /^expect\[0\]\.firing\.event: expected one of sessionStart/,
  ],
  [
    "an unknown status",
    tour({ that: "it ran", firing: { event: "beforeTool" }, hook: { name: "a", status: "fine" } }),
    /^expect\[0\]\.hook\.status: expected one of/,
  ],
  [
    "a time that is no number",
    tour({ that: "it ran", firing: { event: "beforeTool" }, hook: { name: "a", withinMs: "1 s" } }),
    /^expect\[0\]\.hook\.withinMs: expected a number/,
  ],
])("%s is refused, and the place is named", (_what, text, why) => {
  const read = readTour(text);
  expect(read).toMatchObject({ ok: false, why: expect.stringMatching(why) });
});
