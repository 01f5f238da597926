import fc from "fast-check";
import { expect, test } from "vitest";
import { addElement, addToList, removeFromList } from "../../src/settings/edit-list.ts";
import { readJsonText } from "../../src/settings/json-text.ts";

const path = ["c", "d"];
const add = (text: string, ...names: readonly string[]) => addToList(text, path, names);
const remove = (text: string, ...names: readonly string[]) => removeFromList(text, path, (name) => names.includes(name));
const ok = (text: string) => ({ ok: true, text });

test.each([
  ["{}", '{\n  "c": {\n    "d": [\n      "n"\n    ]\n  }\n}'],
  ["{\n}\n", '{\n  "c": {\n    "d": [\n      "n"\n    ]\n  }\n}\n'],
  ['{"a": [1,2 , 3]}', '{"a": [1,2 , 3], "c": {"d":["n"]}}'],
  ['{"a": 1,}', '{"a": 1, "c": {"d":["n"]},}'],
  ['{\n  "a": 1 // x\n}', '{\n  "a": 1, // x\n  "c": {\n    "d": [\n      "n"\n    ]\n  }\n}'],
  ['{\n  "a": 1, /* x */\n  // end\n}', '{\n  "a": 1, /* x */\n  // end\n  "c": {\n    "d": [\n      "n"\n    ]\n  },\n}'],
  ['{ "c": {} }', '{ "c": {\n  "d": [\n    "n"\n  ]\n} }'],
  ['{ "c": { "x": 1 } }', '{ "c": { "x": 1, "d": ["n"] } }'],
  ['{ "c": { "d": [] } }', '{ "c": { "d": ["n"] } }'],
  ['{ "c": { "d": [ /* none */ ] } }', '{ "c": { "d": [ /* none */ "n" ] } }'],
  ['{ "c": { "d": ["a", "b"] } }', '{ "c": { "d": ["a", "b", "n"] } }'],
  ['{ "c": { "d": ["a",] } }', '{ "c": { "d": ["a", "n",] } }'],
  [
    '{ "c": { "d": [\n      "a", // first\n      "b" // last\n    ] } }',
    '{ "c": { "d": [\n      "a", // first\n      "b", // last\n      "n"\n    ] } }',
  ],
  ['{ "c": { "d": ["n"] } }', '{ "c": { "d": ["n"] } }'],
])("adding to %j", (before, after) => {
  expect(add(before, "n")).toEqual(ok(after));
});

test.each([
  ['{ "c": { "d": ["n"] } }', '{ "c": { "d": [] } }'],
  ['{ "c": { "d": ["a", "n", "b"] } }', '{ "c": { "d": ["a", "b"] } }'],
  ['{ "c": { "d": ["n", "b"] } }', '{ "c": { "d": ["b"] } }'],
  ['{ "c": { "d": ["a", "n"] } }', '{ "c": { "d": ["a"] } }'],
  ['{ "c": { "d": ["a", "n",] } }', '{ "c": { "d": ["a", ] } }'],
  ['{ "c": { "d": [\n  "a", // why a\n  "n", // why n\n  "b"\n] } }', '{ "c": { "d": [\n  "a", // why a\n  // why n\n  "b"\n] } }'],
  ['{ "c": { "d": [\n  "a",\n  "n"\n] } }', '{ "c": { "d": [\n  "a"\n] } }'],
  ['{ "c": { "d": [\n  "a", // why a\n  "n"\n] } }', '{ "c": { "d": [\n  "a" // why a\n] } }'],
  ['{ "c": { "d": ["n" /* x */ , "b"] } }', '{ "c": { "d": [/* x */  "b"] } }'],
  ['{ "c": { "d": [\n  "a"\n  , "n"\n] } }', '{ "c": { "d": [\n  "a"\n  \n] } }'],
  ['{ "c": { "d": ["n", 5, "n"] } }', '{ "c": { "d": [5] } }'],
  ['{ "c": { "d": ["a"] } }', '{ "c": { "d": ["a"] } }'],
  ["{}", "{}"],
])("removing from %j", (before, after) => {
  expect(remove(before, "n")).toEqual(ok(after));
});

test("of a key that stands twice the one that counts is edited", () => {
  expect(add('{"c": {"d": ["x"]}, "c": {"d": ["y"]}}', "n")).toEqual(ok('{"c": {"d": ["x"]}, "c": {"d": ["y", "n"]}}'));
});

/** Settings as people write them: any layout, with comments wherever they may stand. */
const trivia = fc
  .array(fc.constantFrom(" ", "  ", "\n", "\r\n", "\t", "/* c */", "// it's\n"), { maxLength: 3 })
  .map((parts) => parts.join(""));
const laidOut = (value: unknown): fc.Arbitrary<string> => {
  const wrap = (open: string, parts: readonly fc.Arbitrary<string>[], close: string) =>
    fc
      .tuple(trivia, fc.tuple(...parts), fc.array(trivia, { minLength: parts.length * 2, maxLength: parts.length * 2 }), fc.boolean())
      .map(([start, items, gaps, comma]) => {
        const body = items
          .map((item, i) => `${item}${gaps[i * 2] ?? ""}${i < items.length - 1 || comma ? "," : ""}${gaps[i * 2 + 1] ?? ""}`)
          .join("");
        return `${open}${start}${body}${close}`;
      });
  if (Array.isArray(value)) return wrap("[", value.map(laidOut), "]");
  if (typeof value === "object" && value !== null)
    return wrap(
      "{",
      Object.entries(value).map(([key, item]) =>
        fc.tuple(trivia, laidOut(item)).map(([gap, text]) => `${JSON.stringify(key)}${gap}:${gap}${text}`),
      ),
      "}",
    );
  return fc.constant(JSON.stringify(value));
};
const settings = fc
  .record(
    {
      a: fc.constantFrom(1, "x", [1, { b: 2 }], { "//": "/*" }),
      c: fc.record(
        { x: fc.constant({ y: [] }), d: fc.array(fc.constantFrom("n", "m", "o", 5), { maxLength: 4 }), z: fc.constant(null) },
        { requiredKeys: [] },
      ),
      e: fc.constant("[}"),
    },
    { requiredKeys: [] },
  )
  .chain((value) => laidOut(value));

test("whatever the layout, the list is as wanted and every other byte that is not in it is where it was", () => {
  fc.assert(
    fc.property(settings, fc.boolean(), (text, on) => {
      const before = readJsonText(text);
      expect(before.ok).toBe(true);
      const edited = on ? remove(text, "n") : add(text, "n");
      expect(edited.ok).toBe(true);
      if (!edited.ok || !before.ok) return;
      const after = readJsonText(edited.text);
      expect(after.ok).toBe(true);
      const listed = (read: typeof before) => (read.value as { c?: { d?: unknown[] } }).c?.d ?? [];
      const wanted = on
        ? listed(before).filter((name) => name !== "n")
        : listed(before).includes("n")
          ? listed(before)
          : [...listed(before), "n"];
      expect(after.ok && listed(after as typeof before)).toEqual(wanted);
      // Of the old text only the name, a comma and the blanks around them may be gone, and in order everything else is there.
      const [longer, shorter] = on ? [text, edited.text] : [edited.text, text];
      expect(isSubsequence(shorter, longer)).toBe(true);
      const comments = (all: string) => all.match(/\/\* c \*\/|\/\/ it's/g) ?? [];
      expect(comments(edited.text)).toEqual(comments(text));
    }),
    { numRuns: 600 },
  );
});

test("added and taken out again, a list that was there is the text it was", () => {
  fc.assert(
    fc.property(
      settings.filter((text) => /"d"/.test(text) && !text.includes('"n"')),
      (text) => {
        const added = add(text, "n");
        const back = added.ok ? remove(added.text, "n") : added;
        const blank = (all: string) => all.replace(/\s|,/g, "");
        expect(back.ok && blank(back.text)).toBe(blank(text));
      },
    ),
    { numRuns: 200 },
  );
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const c of whole) if (c === part.charAt(at)) at += 1;
  return at >= part.length;
}

test.each([
  ["{}\n", '{\n  "c": {\n    "d": [\n      {\n        "x": [\n          1\n        ]\n      }\n    ]\n  }\n}\n'],
  ['{ "c": { "d": [{"x":[1]}] } }', '{ "c": { "d": [{"x":[1]}, {"x":[1]}] } }'],
  [
    '{\r\n\t"c": {\r\n\t\t"d": [\r\n\t\t\t{}, // first\r\n\t\t]\r\n\t}\r\n}',
    '{\r\n\t"c": {\r\n\t\t"d": [\r\n\t\t\t{}, // first\r\n\t\t\t{\r\n\t\t\t\t"x": [\r\n\t\t\t\t\t1\r\n\t\t\t\t]\r\n\t\t\t},\r\n\t\t]\r\n\t}\r\n}',
  ],
])("an object joins a list in %j whether or not an equal one is there", (before, after) => {
  expect(addElement(before, path, { x: [1] })).toEqual(ok(after));
});

test("an element joins no list where something else stands in its place", () => {
  expect(addElement('{ "c": [] }', path, {})).toEqual({ ok: false, message: "c is not an object" });
  expect(addElement('{ "c": { "d": "x" } }', path, {})).toEqual({ ok: false, message: "c.d is not a list" });
  expect(addElement("[]", path, {})).toEqual({ ok: false, message: "its root is not an object" });
});
