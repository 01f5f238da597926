import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFileName } from "../../src/journal/folder.ts";
import { attachJournal } from "../../src/journal/index.ts";
import { fired, folder, plan, registry, teller } from "./sample.ts";

const DAY = 24 * 60 * 60 * 1000;
const OTHER_PID = process.pid + 1;

function old(dir: string, daysAgo: number, bytes: number, pid = OTHER_PID): string {
  const at = Date.now() - daysAgo * DAY;
  const path = join(dir, journalFileName(at, pid, 1));
  writeFileSync(path, "x".repeat(bytes));
  utimesSync(path, at / 1000, at / 1000);
  return path;
}
async function session(dir: string, options: { readonly maxBytes?: number; readonly maxDays?: number }): Promise<string> {
  const source = teller();
  const journal = attachJournal(source, { dir, ...options });
  source.tell(registry(), plan(), fired("f1"));
  await journal.close();
  return journal.file;
}

describe("the journal's folder", () => {
  it("loses files older than its days when the next one is begun", async () => {
    const dir = folder();
    const [gone, kept] = [old(dir, 31, 10), old(dir, 29, 10)];
    const current = await session(dir, {});
    expect([gone, kept, current].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it("loses its oldest files until it holds its bytes, those of this process among them", async () => {
    const dir = folder();
    const files = [old(dir, 5, 4000), old(dir, 4, 4000, process.pid), old(dir, 3, 4000), old(dir, 2, 4000)];
    await session(dir, { maxBytes: 16_000 });
    expect(files.map((path) => existsSync(path))).toEqual([false, false, true, true]);
  });

  it("keeps what another process may still be writing to, and what is none of the journal's", async () => {
    const dir = folder();
    const live = old(dir, 0.001, 50_000);
    writeFileSync(join(dir, "notes.txt"), "x".repeat(50_000));
    writeFileSync(join(dir, "journal-of-mine.jsonl"), "x".repeat(50_000));
    const current = await session(dir, { maxBytes: 1000 });
    expect([live, current].map((path) => existsSync(path))).toEqual([true, true]);
    expect(readdirSync(dir)).toEqual(expect.arrayContaining(["notes.txt", "journal-of-mine.jsonl"]));
  });

  it("keeps the file that another journal of this process writes to", async () => {
    const dir = folder();
    const [first, second] = [teller(), teller()];
    const open = attachJournal(first, { dir });
    first.tell(registry(), plan(), fired("f1", { facts: { text: "x".repeat(50_000) } }));
    open.flush();
    const brief = attachJournal(second, { dir, maxBytes: 1000 });
    second.tell(registry(), plan(), fired("f2"));
    await brief.close();
    expect(existsSync(open.file)).toBe(true);
    await open.close();
  });

  it("stays within its bytes while one process writes on and on", async () => {
    const dir = folder();
    const source = teller();
    const journal = attachJournal(source, { dir, maxBytes: 100_000 });
    source.tell(registry(), plan());
    for (let i = 0; i < 300; i++) {
      source.tell(fired(`f${i}`, { facts: { text: "x".repeat(1000) } }));
      journal.flush();
    }
    const last = journal.file;
    await journal.close();
    expect(existsSync(last)).toBe(true);
    const size = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
    expect(size).toBeLessThanOrEqual(100_000);
    expect(size).toBeGreaterThan(50_000);
  });
});
