import { strictEqual } from "node:assert";
import { test } from "node:test";
import { total } from "../src/price.js";

test("two kites cost twice one kite", () => {
  strictEqual(total([{ cents: 1950, count: 2 }]), 3900);
});
