import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readKeptCode, writeKeptCode } from "../../src/start/kept-code.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-code-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256));

it("gives back what was written, at a place in memory where V8 reads it without a copy", () => {
  for (const commands of [[], ["hooks list"], ["fire", "log", "\u00fc"]]) {
    const path = join(folder, "deep", `core-${commands.length}.cache`);
    expect(writeKeptCode(path, { code, commands }, Date.now())).toBe(true);
    const kept = readKeptCode(path);
    expect(kept?.code.equals(code)).toBe(true);
    expect(kept?.commands).toEqual(commands);
    expect((kept?.code.byteOffset ?? 1) % 8).toBe(0);
  }
});

it("takes a file for nothing when a single byte of it is wrong, missing or too many", () => {
  const path = join(folder, "core-a.cache");
  writeKeptCode(path, { code, commands: [] }, Date.now());
  const whole = readFileSync(path);
  const flipped = Buffer.from(whole);
  flipped[whole.length - 2000] = (flipped[whole.length - 2000] ?? 0) ^ 1;
  const broken = [
    flipped,
    whole.subarray(0, -1),
    whole.subarray(0, 10),
    Buffer.concat([whole, Buffer.from("x")]),
    Buffer.alloc(0),
    Buffer.from("null\n"),
  ];
  for (const bytes of broken) {
    writeFileSync(path, bytes);
    expect(readKeptCode(path)).toBeUndefined();
  }
  expect(readKeptCode(join(folder, "absent.cache"))).toBeUndefined();
  expect(readKeptCode(folder)).toBeUndefined();
});

it("says that it cannot write below a file, and leaves nothing behind", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(writeKeptCode(join(file, "core-a.cache"), { code, commands: [] }, Date.now())).toBe(false);
  expect(readdirSync(folder)).toEqual(["file"]);
});

it("removes what nobody has written for a month, and nothing that is not its own", () => {
  const now = Date.now();
  for (const name of ["core-old.cache", "core-new.cache", "notes.txt"]) writeFileSync(join(folder, name), "");
  const longAgo = new Date(now - 31 * 24 * 60 * 60 * 1000);
  for (const name of ["core-old.cache", "notes.txt"]) utimesSync(join(folder, name), longAgo, longAgo);
  writeKeptCode(join(folder, "core-now.cache"), { code, commands: [] }, now);
  expect(readdirSync(folder).sort()).toEqual(["core-new.cache", "core-now.cache", "notes.txt"]);
});
