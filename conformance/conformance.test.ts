/** Every conformance case, with real hook processes; and the case files themselves against their published schema. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../packages/engine/src/dialects/index.ts";
import { type Case, caseFiles, casesJsonSchema } from "./cases.ts";
import { runCase } from "./run.ts";

/** Cases that measure time get the machine to themselves. */
const isTimed = ({ expect: { atMostMs } }: Case): boolean => atMostMs !== undefined;

for (const { id: dialect } of DIALECTS) {
  for (const { file, cases } of caseFiles(dialect)) {
    describe(`${file}`, () => {
      for (const one of cases) {
        test(`${one.name}`, { concurrent: !isTimed(one) }, async () => {
          expect(await runCase(dialect, one)).toEqual([]);
        });
      }
    });
  }

  test(`no two cases of ${dialect} have the same name`, () => {
    const names = caseFiles(dialect).flatMap(({ cases }) => cases.map(({ name }) => name));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
}

test("cases.schema.json is what the schema in cases.ts says (node conformance/schema.mjs writes it)", () => {
  const published: unknown = JSON.parse(readFileSync(new URL("cases.schema.json", import.meta.url), "utf8"));
  expect(published).toEqual(JSON.parse(JSON.stringify(casesJsonSchema())));
});
