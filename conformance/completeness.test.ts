/** The cases against the dialects' tables: a cell without a case is named. */
import { expect, test } from "vitest";
import { DIALECTS, type Dialect, dialectById } from "../packages/engine/src/dialects/index.ts";
import { caseFiles } from "./cases.ts";
import { missing } from "./completeness.ts";

const gemini = dialectById("gemini") as Dialect;
const cases = caseFiles("gemini").flatMap((file) => file.cases);

test.each(DIALECTS)("every event, exit class, output field, stdin key and divergence of $title has its cases", (dialect) => {
  const own = caseFiles(dialect.id).flatMap((file) => file.cases);
  expect(missing(dialect, own)).toEqual([]);
});

test("a cell without a case is named", () => {
  const without = (gone: (one: (typeof cases)[number]) => boolean) =>
    missing(
      gemini,
      cases.filter((one) => !gone(one)),
    );
  expect(without(({ event, expect: { statuses } }) => event === "AfterTool" && statuses?.["a"] === "signalled")).toEqual([
    "AfterTool: a signal",
  ]);
  expect(without(({ hooks }) => JSON.stringify(hooks ?? {}).includes("tailToolCallRequest"))).toEqual([
    "AfterTool: hookSpecificOutput.tailToolCallRequest",
    "AfterTool: hookSpecificOutput.tailToolCallRequest of a wrong type",
  ]);
  expect(without(({ expect: { divergences } }) => divergences?.includes("BUG-38") === true)).toEqual([
    "divergence BUG-38: a case that shows it",
  ]);
  expect(without(({ expect: { stdin } }) => Object.values(stdin ?? {}).some((fields) => Object.hasOwn(fields, "trigger")))).toContain(
    "PreCompress: the value of trigger on stdin",
  );
});

test("looking at nothing is an error", () => {
  expect(() => missing(gemini, [])).toThrow("no cases");
  expect(() => missing({ ...gemini, rows: {} }, cases)).toThrow("is empty");
});
