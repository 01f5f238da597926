import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCapture, createOutputBudget } from "../../src/running/capture.ts";

describe("a capture", () => {
  it("holds the beginning of the stream up to its cap and budget, whatever the sizes of the chunks", () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 10_000, max: 40_000 })), { maxLength: 60 });
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 0, max: 300_000 }),
        fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: undefined }),
        (lengths, max, shared) => {
          const all = Buffer.from(Array.from({ length: lengths.reduce((a, b) => a + b, 0) }, (_, at) => 97 + (at % 23)));
          const capture = createCapture(max, shared === undefined ? undefined : createOutputBudget(shared));
          let at = 0;
          for (const length of lengths) {
            capture.take(all.subarray(at, at + length));
            at += length;
          }
          const kept = Math.min(all.length, max, shared ?? all.length);
          expect(capture.read()).toEqual({ text: all.toString("latin1", 0, kept), bytes: all.length, truncated: kept < all.length });
        },
      ),
      { numRuns: 100 },
    );
  });

  it("has no holes when a budget that was empty is asked again", () => {
    const grants = [2, 0, 100];
    const capture = createCapture(100, { take: () => grants.shift() ?? 0 });
    for (const text of ["abcd", "efgh", "ijkl"]) capture.take(Buffer.from(text));
    expect(capture.read()).toEqual({ text: "ab", bytes: 12, truncated: true });
  });
});
