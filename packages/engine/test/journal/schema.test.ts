import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("publishes the JSON Schema that its sources say, under the name that the package gives it", () => {
  const script = fileURLToPath(new URL("../../../../scripts/generate-schemas.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const schema: unknown = createRequire(import.meta.url)("@carabiner/engine/schemas/journal.schema.json");
  expect(schema).toMatchObject({ title: "One line of a Carabiner journal", oneOf: { length: 5 } });
});
