// Patterns on paths: which names they let in, and that no pattern takes long.
import fc from "fast-check";
import { expect, it } from "vitest";
import { globFits } from "../../src/firing/glob.ts";

it.each([
  ["src/a.ts", "src/a.ts", true],
  ["src/a.ts", "src/b.ts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/*", "src/", true],
  ["src/**", "src/deep/down/a.ts", true],
  ["src/**", "src", true],
  ["src/**", "srcs/a.ts", false],
  ["**/a.ts", "a.ts", true],
  ["**/a.ts", "deep/down/a.ts", true],
  ["src/**/a.ts", "src/a.ts", true],
  ["src/**/test/*.ts", "src/a/b/test/c.ts", true],
  ["src/**/test/*.ts", "src/a/b/c.ts", false],
  ["*", ".env", true],
  ["**", "any/thing/at/all", true],
  ["?.ts", "a.ts", true],
  ["?.ts", "ab.ts", false],
  ["?.ts", "\u{1f600}.ts", true],
  ["[ab].ts", "b.ts", true],
  ["[!ab].ts", "b.ts", false],
  ["[^ab].ts", "c.ts", true],
  ["[a-c].ts", "b.ts", true],
  ["[a-c].ts", "d.ts", false],
  ["[]a].ts", "].ts", true],
  ["[", "[", true],
  ["a[b", "a[b", true],
  ["*.{ts,js}", "a.js", true],
  ["*.{ts,js}", "a.css", false],
  ["{src,test}/**/*.{ts,js}", "test/x/a.js", true],
  ["{a,{b,c}}", "c", true],
  ["{a}", "{a}", true],
  ["{a,b", "{a,b", true],
  ["\\*.ts", "*.ts", true],
  ["\\*.ts", "a.ts", false],
  ["/etc/**", "/etc/passwd", true],
  ["/etc/**", "etc/passwd", false],
  ["", "", true],
  ["", "a", false],
])("%j and %j: %s", (pattern, path, fits) => {
  expect(globFits(pattern, path)).toBe(fits);
});

it("a path without signs fits itself and nothing else", () => {
  const name = fc.stringMatching(/^[a-z0-9._ -]{1,8}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
  fc.assert(
    fc.property(path, path, (one, other) => {
      expect([globFits(one, one), globFits(one, other)]).toEqual([true, one === other]);
    }),
    { numRuns: 300 },
  );
});

it("ends soon for patterns made to be slow", () => {
  const began = performance.now();
  globFits(`${"**/a/".repeat(100)}b`, `${"a/".repeat(400)}c`);
  globFits(`${"*a".repeat(200)}b`, "a".repeat(2000));
  globFits("{a,b}".repeat(60), "a".repeat(60));
  expect(performance.now() - began).toBeLessThan(3000);
});

it("any pattern and any path give an answer", () => {
  const odd = fc.string({ unit: fc.constantFrom("*", "?", "[", "]", "{", "}", ",", "!", "-", "\\", "/", "a", "\u{1f600}"), maxLength: 30 });
  fc.assert(
    fc.property(odd, odd, (pattern, path) => {
      expect(globFits(pattern, path)).toBeTypeOf("boolean");
    }),
    { numRuns: 500 },
  );
});
