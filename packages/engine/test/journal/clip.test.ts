import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipJson, clipText, MAX_JSON_BYTES, MAX_TEXT_BYTES } from "../../src/journal/clip.ts";
import { snapshot } from "../../src/journal/snapshot.ts";

describe("clipText", () => {
  it("keeps what fits, to the byte", () => {
    const text = "x".repeat(MAX_TEXT_BYTES);
    expect(clipText(text)).toBe(text);
  });

  it("keeps 64 KiB of head and tail and says how many bytes are missing", () => {
    const clipped = clipText(`${"h".repeat(65_536)}${"m".repeat(1_000_000)}${"t".repeat(65_536)}`);
    expect(clipped).toBe(`${"h".repeat(65_536)}\n[... 1000000 bytes left out ...]\n${"t".repeat(65_536)}`);
  });

  it("counts bytes, not characters, and cuts none of them in two", () => {
    for (const filler of ["é", "日", "😀", "a😀", "日a"]) {
      const text = filler.repeat(70_000);
      const clipped = clipText(text);
      const [head = "", missing, tail = ""] = clipped.split(/\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n/);
      expect(clipped).not.toMatch(/\p{Surrogate}/u);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Number(missing) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text));
      for (const part of [head, tail]) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(65_536);
        expect(Buffer.byteLength(part)).toBeGreaterThan(65_536 - 8);
      }
    }
  });

  it("never exceeds its bound and is done after one time, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), fc.integer({ min: 128, max: 1000 }), (text, max) => {
        const clipped = clipText(text, max);
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(max);
        expect(clipText(clipped, max)).toBe(clipped);
      }),
    );
  });
});

describe("clipJson", () => {
  it("keeps what fits and does not touch its argument", () => {
    const facts = Object.freeze({
      tool: Object.freeze({ name: "shell", input: Object.freeze({ list: Object.freeze([1, null, true, "x"]) }) }),
    });
    expect(clipJson(facts)).toEqual(facts);
  });

  it("clips the long strings, each with a mark of its own, and keeps structure and short strings", () => {
    const content = "c".repeat(10_000_000);
    const clipped = clipJson({
      tool: { name: "read_file", input: { path: "/x", text: "y".repeat(1_000_000) } },
      result: { content, more: ["z".repeat(50)] },
    });
    expect(clipped).toMatchObject({
      tool: { name: "read_file", input: { path: "/x", text: expect.stringMatching(/^y+\n\[\.\.\. \d+ bytes left out \.\.\.\]\ny+$/) } },
      result: { content: expect.stringMatching(/^c+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nc+$/), more: ["z".repeat(50)] },
    });
    const bytes = Buffer.byteLength(JSON.stringify(clipped));
    expect(bytes).toBeLessThan(MAX_JSON_BYTES + 100);
    expect(bytes).toBeGreaterThan(MAX_JSON_BYTES * 0.95);
  });

  it("lets the longest string give way before shorter ones", () => {
    const clipped = clipJson({ long: "l".repeat(900_000), short: "s".repeat(100_000) });
    expect(clipped["short"]).toBe("s".repeat(100_000));
    expect(String(clipped["long"]).length).toBeGreaterThan(150_000);
  });

  it("cuts a structure that is too large where it is deepest, and says how much is missing", () => {
    const wide = { meta: { kept: true }, list: Array.from({ length: 100_000 }, (_, i) => i), last: "kept" };
    const clipped = clipJson(wide);
    expect(clipped).toMatchObject({ meta: { kept: true }, last: "kept" });
    const list = Array.isArray(clipped["list"]) ? clipped["list"] : [];
    expect(list.at(-1)).toBe(`[... ${100_000 - (list.length - 1)} more left out ...]`);
    const deep = clipJson({ rows: Array.from({ length: 5_000 }, (_, i) => ({ i, cells: { a: 1, b: [2] }, none: [] })) });
    expect(JSON.stringify(deep)).toContain('"cells":"[...]"');
    expect(JSON.stringify(deep)).not.toContain('"none":"[...]"');
  });

  it("treats __proto__ as a name like any other", () => {
    const facts: object = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}');
    expect(JSON.stringify(clipJson(facts))).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("makes JSON of what is none, without throwing", () => {
    const circle: Record<string, unknown> = { n: 1n, nan: Number.NaN, date: new Date(0), nothing: undefined, call: () => 1 };
    circle["self"] = circle;
    Object.defineProperty(circle, "broken", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const clipped = clipJson(circle);
    expect(clipped).toMatchObject({ n: "1", nan: null, date: "1970-01-01T00:00:00.000Z", broken: "[unreadable]" });
    expect(Object.keys(clipped)).not.toContain("nothing");
    expect(Object.keys(clipped)).not.toContain("call");
    let deep: object = {};
    for (let i = 0; i < 100_000; i++) deep = { deep };
    expect(JSON.stringify(clipJson(deep))).toContain('"[...]"');
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(clipJson({ proxy })).toEqual({ proxy: "[unreadable]" });
  });

  it("stays within its bound and is done after one time, whatever the value", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "medium" },
        fc.string({ maxLength: 300 }),
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(tie("value"), { maxLength: 8 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.integer({ min: 512, max: 4000 }), (object, max) => {
        const before = JSON.stringify(object);
        const clipped = clipJson(object, max);
        expect(JSON.stringify(clipJson(clipped, max))).toBe(JSON.stringify(clipped));
        expect(JSON.stringify(object)).toBe(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe("snapshot", () => {
  it("is not changed by what happens to its source later", () => {
    const history = [{ role: "user", text: "one" }];
    const copy = snapshot({ history });
    history.push({ role: "model", text: "two" });
    expect(copy).toEqual({ history: [{ role: "user", text: "one" }] });
  });

  it("looks no further into a large value than it keeps of it", () => {
    let looks = 0;
    const rows = new Proxy(
      Array.from({ length: 1_000_000 }, (_, i) => ({ i })),
      {
        get(all, key, self) {
          looks += 1;
          return Reflect.get(all, key, self);
        },
      },
    );
    snapshot({ rows });
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(50_000);
  });
});
