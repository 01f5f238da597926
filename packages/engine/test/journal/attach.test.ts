import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { attachJournal, type Journal, type JournalOptions, type JournalSource, readJournal } from "../../src/journal/index.ts";
import { type JournalLine, journalLineSchema, type Problem } from "../../src/protocol/index.ts";
import { fired, folder, plan, quiet, registry, run, teller } from "./sample.ts";

const GITHUB = `ghp_${"a1B2".repeat(9)}`;

function attached(source: JournalSource, options: JournalOptions | string): Journal {
  const journal = attachJournal(source, options);
  onTestFinished(() => journal.close());
  return journal;
}
const linesIn = (path: string): readonly JournalLine[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => journalLineSchema.parse(JSON.parse(line)));
const kindsIn = (path: string): readonly string[] => linesIn(path).map(({ kind }) => kind);

describe("a journal", () => {
  it("writes every line as told, in a folder and a file for this user only", () => {
    const dir = join(folder(), "state", "journal");
    const source = teller();
    const journal = attached(source, { dir, now: () => Date.UTC(2025, 10, 30, 12, 0, 0, 7) });
    expect(existsSync(dir)).toBe(false);
    const lines = [registry(), plan(), fired("f1"), quiet()];
    source.tell(...lines);
    journal.flush();
    expect(journal.file).toBe(join(dir, `journal-20251130T120000007Z-${process.pid}.jsonl`));
    expect(linesIn(journal.file)).toEqual(lines);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "..")).mode & 0o777).toBe(0o700);
    expect(statSync(journal.file).mode & 0o777).toBe(0o600);
  });

  it("writes by itself within a moment, and takes a folder for all options", async () => {
    const dir = folder();
    const source = teller();
    const journal = attached(source, dir);
    source.tell(registry(), plan(), fired("f1"));
    expect(readdirSync(dir)).toEqual([]);
    const kinds = (): readonly string[] => (existsSync(journal.file) ? kindsIn(journal.file) : []);
    for (let i = 0; i < 100 && kinds().length < 3; i++) await sleep(25);
    expect(kinds()).toEqual(["registry", "plan", "fired"]);
  });

  it("stops listening when it is closed, and closing twice is closing once", async () => {
    const dir = folder();
    const source = teller();
    const exitListeners = process.listenerCount("exit");
    const journal = attachJournal(source, { dir });
    source.tell(registry(), plan(), fired("f1"));
    await journal.close();
    await journal.close();
    expect(source.listeners()).toBe(0);
    expect(process.listenerCount("exit")).toBe(exitListeners);
    expect(readdirSync(dir)).toHaveLength(1);
    expect(readJournal(dir).stories).toHaveLength(1);
  });

  it("adds one listener to the process, however many journals there are", () => {
    const before = process.listenerCount("exit");
    for (let i = 0; i < 20; i++) attached(teller(), { dir: folder() });
    expect(process.listenerCount("exit")).toBeLessThanOrEqual(before + 1);
  });

  it("gives two journals of one millisecond a file each", () => {
    const dir = folder();
    const now = (): number => 0;
    const journals = [1, 2].map((n) => {
      const source = teller();
      const journal = attached(source, { dir, now });
      source.tell(registry(), plan(), fired(`f${n}`));
      journal.flush();
      return journal;
    });
    expect(new Set(journals.map(({ file }) => file)).size).toBe(2);
    expect(
      readJournal(dir)
        .stories.map(({ fired: { id } }) => id)
        .sort(),
    ).toEqual(["f1", "f2"]);
  });

  it("begins a new file when one has grown, with what its firings need before them", () => {
    const dir = folder();
    const source = teller();
    const journal = attached(source, { dir, maxBytes: 40_000 });
    source.tell(registry(), plan());
    for (let i = 0; i < 30; i++) {
      source.tell(fired(`f${i}`, { facts: { text: "x".repeat(1000) } }));
      journal.flush();
    }
    const files = readdirSync(dir).map((name) => join(dir, name));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect(kindsIn(file).slice(0, 3)).toEqual(["registry", "plan", "fired"]);
      expect(kindsIn(file).filter((kind) => kind !== "fired")).toHaveLength(2);
    }
    expect(readJournal(dir).stories.map(({ fired: { id } }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => `f${i}`));
  });

  it("goes on in a new file when somebody removes the one it writes to", () => {
    const dir = folder();
    const source = teller();
    const journal = attached(source, { dir });
    source.tell(registry(), plan(), fired("f1"));
    journal.flush();
    rmSync(journal.file);
    source.tell(fired("f2"));
    journal.flush();
    expect(readJournal(dir)).toMatchObject({ stories: [{ fired: { id: "f2" } }], problems: [] });
  });

  it("records what was true when it was told, though the host changes it afterwards", () => {
    const dir = folder();
    const source = teller();
    const history = ["one"];
    const journal = attached(source, { dir });
    source.tell(registry(), plan(), fired("f1", { facts: { history } }));
    history.push("two");
    journal.flush();
    expect(readJournal(dir).stories[0]?.fired.facts).toEqual({ history: ["one"] });
  });

  it("keeps secrets out of every text, and leaves identifiers alone", async () => {
    const dir = folder();
    const source = teller();
    const journal = attached(source, { dir, redact: ["hunter\\d", "e0", "f1"] });
    const secret = `${GITHUB} hunter2`;
    const problem: Problem = {
      code: "HOOK_EXITED",
      level: "warning",
      place: { entry: "e0" },
      what: secret,
      found: secret,
      now: secret,
      todo: secret,
    };
    source.tell(
      registry("r1", `TOKEN=${GITHUB} ./guard.sh`),
      plan(),
      fired("f1", {
        facts: { prompt: secret, deep: [{ a: secret }] },
        cwd: `/tmp/${secret}`,
        runs: [
          run({
            stdin: { x: secret },
            stdout: secret,
            stderr: secret,
            output: { reason: secret },
            opinion: { message: secret },
            message: secret,
            problems: [problem],
          }),
        ],
        changed: { e1: { status: "spent", why: secret } },
        verdict: {
          ruling: { kind: "deny", reason: secret },
          because: ["e0"],
          overruled: [],
          withheld: false,
          steps: [{ entry: "e0", what: "ruling", did: secret }],
          messages: [{ text: secret, entry: "e0", level: "info" }],
          contexts: [{ text: secret, framed: secret, lasts: "turn", entry: "e0" }],
        },
        outcome: { action: "block", reason: secret },
        problems: [problem],
      }),
    );
    await journal.close();
    const text = readFileSync(journal.file, "utf8");
    expect(text).not.toMatch(/ghp_|hunter2/);
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThan(20);
    const [story] = readJournal(dir).stories;
    expect(story?.fired.id).toBe("f1");
    expect(story?.entries.map(({ id, status }) => [id, status])).toEqual([
      ["e0", "ok"],
      ["e1", "spent"],
    ]);
  });

  it("keeps no half of a secret where it clips", async () => {
    const dir = folder();
    const source = teller();
    const journal = attachJournal(source, { dir });
    const long = `${"x".repeat(65_520)} ${GITHUB} ${"y".repeat(300_000)} ${GITHUB} ${"z".repeat(65_520)}`;
    source.tell(registry(), plan(), fired("f1", { facts: { long, more: long }, runs: [run({ stdout: long })] }));
    await journal.close();
    expect(readFileSync(journal.file, "utf8")).not.toMatch(/ghp_|a1B2/);
    expect(readJournal(dir).stories[0]?.fired.runs[0]?.stdout).toContain("bytes left out");
  });

  it("keeps secrets in where it is told to", async () => {
    const source = teller();
    const journal = attachJournal(source, { dir: folder(), redact: false });
    source.tell(registry("r1", GITHUB));
    await journal.close();
    expect(readFileSync(journal.file, "utf8")).toContain(GITHUB);
  });

  it("keeps a readable share of 10 MB of facts and output", async () => {
    const dir = folder();
    const source = teller();
    const journal = attached(source, { dir });
    const content = `${"some text, and more of it\n".repeat(400_000)}`;
    const big = fired("f1", {
      facts: { tool: { name: "read_file" }, result: { content } },
      runs: [run({ stdout: content, stdoutBytes: content.length })],
      outcome: { action: "proceed", result: content },
    });
    source.tell(registry(), plan());
    source.tell(big);
    await journal.close();
    expect(statSync(journal.file).size).toBeLessThan(800_000);
    const [story] = readJournal(dir).stories;
    expect(story?.fired.facts).toMatchObject({
      tool: { name: "read_file" },
      result: { content: expect.stringContaining("bytes left out") },
    });
    expect(story?.fired.runs[0]?.stdout).toMatch(/^some text[\s\S]+\n\[\.\.\. 10268928 bytes left out \.\.\.\]\n[\s\S]+more of it\n$/);
  });

  it("says once that it cannot write, lets everything go on, and is whole again when it can", () => {
    const base = folder();
    const dir = join(base, "file", "journal");
    writeFileSync(join(base, "file"), "in the way");
    const source = teller();
    const problems: Problem[] = [];
    const journal = attached(source, { dir, onProblem: (problem) => problems.push(problem) });
    source.tell(registry(), plan(), fired("f1"));
    journal.flush();
    source.tell(fired("f2"));
    journal.flush();
    expect(problems.map(({ code, place }) => [code, place])).toEqual([["JOURNAL_UNWRITABLE", { path: dir }]]);
    rmSync(join(base, "file"));
    source.tell(fired("f3"));
    journal.flush();
    expect(readJournal(dir)).toMatchObject({ stories: [{ fired: { id: "f3" } }], problems: [] });
    expect(problems).toHaveLength(1);
  });

  it("warns through the process where nobody asked for problems", async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: Error & { code?: string }): void => void warnings.push(warning.code);
    process.on("warning", onWarning);
    onTestFinished(() => void process.removeListener("warning", onWarning));
    attached(teller(), { dir: folder(), redact: ["("] });
    await sleep(20);
    expect(warnings).toContain("SETTINGS_BAD_SHAPE");
  });

  it("refuses bounds that are none", () => {
    for (const bad of [0, -1, Number.NaN]) expect(() => attachJournal(teller(), { dir: folder(), maxBytes: bad })).toThrow(RangeError);
    expect(() => attachJournal(teller(), { dir: folder(), maxDays: 0 })).toThrow("maxDays must be a positive number");
  });
});
