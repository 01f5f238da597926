import { expect, test } from "vitest";
import { readTimeout } from "../../src/settings/timeout.ts";
import { gemini } from "./machine.ts";
import { other } from "./other-dialect.ts";

const MAX_MS = 2 ** 31 - 1;

test.each([
  [undefined, 60_000, false, undefined],
  [5000, 5000, true, undefined],
  [1234.5, 1235, true, undefined],
  [0, 60_000, false, "TIMEOUT_BAD"],
  [-1, 60_000, false, "TIMEOUT_BAD"],
  [Number.POSITIVE_INFINITY, 60_000, false, "TIMEOUT_BAD"],
  ["5000", 60_000, false, "TIMEOUT_BAD"],
  [null, 60_000, false, "TIMEOUT_BAD"],
  [{}, 60_000, false, "TIMEOUT_BAD"],
  [MAX_MS, MAX_MS, true, undefined],
  [MAX_MS + 1, MAX_MS, true, "TIMEOUT_CAPPED"],
  [1e300, MAX_MS, true, "TIMEOUT_CAPPED"],
  [30, 30, true, "TIMEOUT_SUSPECT"],
  [0.1, 1, true, "TIMEOUT_SUSPECT"],
])("in milliseconds %j is %d ms (given: %s, %s)", (written, timeoutMs, given, code) => {
  const read = readTimeout(written, gemini.timeout);
  expect([read.timeoutMs, read.given, read.finding?.code]).toEqual([timeoutMs, given, code]);
});

test.each([
  [0.5, 500, undefined],
  [60, 60_000, undefined],
  [30_000, 30_000_000, "TIMEOUT_SUSPECT"],
  [3e6, MAX_MS, "TIMEOUT_CAPPED"],
])("in seconds %j is %d ms (%s)", (written, timeoutMs, code) => {
  const read = readTimeout(written, other.timeout);
  expect([read.timeoutMs, read.finding?.code]).toEqual([timeoutMs, code]);
});

test("a suspicious timeout names the other unit and what to write in it", () => {
  expect(readTimeout(30, gemini.timeout).finding?.facts).toEqual({
    found: "30",
    reads: "30 milliseconds",
    todo: "If 30 seconds were meant, write 30000.",
  });
  expect(readTimeout(30_000, other.timeout).finding?.facts).toMatchObject({ todo: "If 30000 milliseconds were meant, write 30." });
});
