import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { readJournal } from "@carabiner/engine/journal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Played } from "../src/commands/demo-play.ts";
import type { Stage } from "../src/commands/demo-stage.ts";
import { closingView } from "../src/commands/demo-summary.ts";
import { carabiner, place, type Ran } from "./demo-io.ts";

const SECRET = "north-wind-42";
const here = place();
afterAll(here.remove);

/** Every file below a folder, as text. */
const filesBelow = (dir: string): readonly { readonly path: string; readonly text: string }[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

interface Document {
  readonly ok: boolean;
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly journal: string;
  readonly transcript: string;
  readonly session: string;
  readonly chapters: readonly {
    readonly firings: readonly {
      readonly id: string;
      readonly event: string;
      readonly hooks: readonly { readonly name: string; readonly status: string; readonly durationMs?: number }[];
    }[];
    readonly answers: readonly string[];
  }[];
  readonly expectations: readonly { readonly that: string; readonly holds: boolean; readonly found?: string }[];
  readonly next: readonly { readonly command: string }[];
}

describe("the tour that comes with carabiner, as JSON", () => {
  let ran: Ran;
  let told: Document;
  beforeAll(async () => {
    ran = await carabiner(["demo", "--json"], here.dir);
    told = JSON.parse(ran.out);
  }, 60_000);
  afterAll(() => rmSync(told.folder, { recursive: true, force: true }));

  test("every expectation holds, the exit code is 0, and nothing is said on the side", () => {
    expect(told.expectations.filter(({ holds }) => !holds)).toEqual([]);
    expect(told.expectations.length).toBeGreaterThan(15);
    expect({ ok: told.ok, code: ran.code, err: ran.err }).toEqual({ ok: true, code: 0, err: "" });
  });

  test("its firings are those of the journal, in order, each in one chapter", () => {
    const { stories, problems } = readJournal(told.journal, { session: told.session });
    expect(problems).toEqual([]);
    expect(told.chapters.flatMap(({ firings }) => firings.map(({ id }) => id))).toEqual(stories.map(({ fired }) => fired.id));
  });

  test("the dangerous command did not run: the orders are there, word for word", () => {
    const path = join("orders", "2025.csv");
    expect(readFileSync(join(told.project, path), "utf8")).toBe(readFileSync(join(import.meta.dirname, "..", "tour", path), "utf8"));
  });

  test("the password that the model was told and said is nowhere in what the session left", () => {
    expect(filesBelow(told.project).some(({ path, text }) => path.endsWith("GEMINI.md") && text.includes(SECRET))).toBe(true);
    expect(filesBelow(told.home).filter(({ text }) => text.includes(SECRET))).toEqual([]);
    expect(ran.out).not.toContain(SECRET);
    expect(told.chapters.flatMap(({ answers }) => answers).join("\n")).toContain("Open https://staging.example/shop in a browser.");
    expect(readFileSync(told.transcript, "utf8")).toContain("https://staging.example/shop");
  });

  test("every status of the tour is seen: ran, off, twice, not matched, failed, out of time", () => {
    const hooks = told.chapters.flatMap(({ firings }) => firings.flatMap((firing) => firing.hooks));
    expect(new Set(hooks.map(({ status }) => status))).toEqual(
      new Set(["ok", "disabled", "duplicate", "notMatched", "exitedOther", "timedOut"]),
    );
    const slow = hooks.find(({ status }) => status === "timedOut");
    expect(slow?.durationMs).toBeGreaterThanOrEqual(300);
    expect(slow?.durationMs).toBeLessThan(5_000);
  });

  test("hooks of both dialects spoke of one call", () => {
    const shell = told.chapters
      .flatMap(({ firings }) => firings)
      .find(({ hooks }) => hooks.some(({ name, status }) => name === "careful-bash" && status === "ok"));
    expect(shell?.hooks.filter(({ status }) => status === "ok").map(({ name }) => name)).toEqual(["keep-orders", "careful-bash"]);
  });

  test("the commands it offers work where it says", () => {
    const tried = told.next.map(({ command }) => ({
      command,
      ...spawnSync("sh", ["-c", command], { cwd: told.folder, encoding: "utf8", timeout: 30_000 }),
    }));
    const [explain, fire, list] = tried;
    expect(tried.map(({ status, stderr }) => ({ status, stderr }))).toMatchObject([
      { status: 0, stderr: "" },
      { status: 2 },
      { status: 0, stderr: "" },
    ]);
    expect(explain?.stdout).toContain("keep-orders");
    expect(fire?.stdout).toContain("orders/ is the only copy there is");
    expect(list?.stdout).toContain("old-guard");
  });
});

describe("the tour in a terminal", () => {
  let ran: Ran;
  let text: string;
  let words: string;
  beforeAll(async () => {
    ran = await carabiner(["demo"], here.dir, { tty: true, columns: 60 });
    text = stripVTControlCharacters(ran.out);
    words = text.replace(/[\s|]+/g, " ");
  }, 60_000);
  afterAll(() => rmSync(/^ {2}(\S*carabiner-demo-\w+)$/m.exec(text)?.[1] ?? here.dir, { recursive: true, force: true }));

  test("it is in colour, and no line but those with paths and commands is wider than the terminal", () => {
    expect(ran.code).toBe(0);
    expect(text).not.toBe(ran.out);
    const [story = ""] = text.split("Kept for you to look at");
    expect(story.split("\n").filter((line) => line.length > 60)).toEqual([]);
  });

  test("each moment says what was about to happen, who said what, and what came of it", () => {
    expect(words).toMatch(
      /run_shell_command:.*rm -rf \.\/orders.*keep-orders +denies.*nobody deletes it\..*careful-bash +denies.*Not run: keep-orders \(duplicate.*=> The tool does not run/s,
    );
    expect(words).toMatch(/tell-the-team +failed: exit code 1.*chat\.example cannot be reached.*slow-index +timed out after 300 ms/s);
    expect(words).toContain("The model called write_file all the same.");
  });
});

describe("a tour of one's own", () => {
  const own = join(here.dir, "kites");
  const edit = (hook: string, text: string): void =>
    writeFileSync(
      join(own, hook),
      `#!/bin/sh
cat > /dev/null
${text}`,
    );
  const failing = async (): Promise<{ readonly ran: Ran; readonly failed: readonly string[]; readonly ordersLeft: boolean }> => {
    const ran = await carabiner(["demo", "kites", "--json"], here.dir);
    const told: Document = JSON.parse(ran.out);
    const ordersLeft = existsSync(join(told.project, "orders", "2025.csv"));
    rmSync(told.folder, { recursive: true, force: true });
    return { ran, failed: told.expectations.filter(({ holds }) => !holds).map(({ that }) => that), ordersLeft };
  };

  test("--copy fills a new folder, hooks can run there, and a folder that holds something is refused", async () => {
    const copied = await carabiner(["demo", "--copy", "kites"], here.dir);
    expect({ code: copied.code, err: copied.err }).toEqual({ code: 0, err: "" });
    expect(copied.out).toContain("npx carabiner demo kites");
    expect(statSync(join(own, ".gemini", "hooks", "keep-orders.sh")).mode & 0o111).not.toBe(0);
    const again = await carabiner(["demo", "--copy", "kites"], here.dir);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain(`${own} is not empty`);
    expect((await carabiner(["demo", "--copy", "kites/README.md"], here.dir)).err).toContain("is a file");
  });

  test("a hook that is changed there changes the tour: with one guard gone the other still holds, and the exit code is 1", async () => {
    edit(".gemini/hooks/keep-orders.sh", "exit 0\n");
    expect(await failing()).toMatchObject({
      ran: { code: 1 },
      failed: ["keep-orders denied the command with exit 2 (Gemini CLI)"],
      ordersLeft: true,
    });
  }, 60_000);

  test("with both guards gone the command really runs, in the copy and nowhere else", async () => {
    edit(".gemini/hooks/keep-orders.sh", "exit 0\n");
    edit(".qoder/hooks/careful-bash.sh", "exit 0\n");
    const { ran, failed, ordersLeft } = await failing();
    expect(ran.code).toBe(1);
    expect(failed).toContain("the command never ran: the orders are still there");
    expect(ordersLeft).toBe(false);
    expect(existsSync(join(own, "orders", "2025.csv"))).toBe(true);
  }, 60_000);

  test("a folder without a tour, and a tour that is wrong, are named", async () => {
    const { dir, remove } = place();
    try {
      const nothing = await carabiner(["demo", dir], here.dir);
      expect(nothing).toMatchObject({ code: 1, out: "" });
      expect(nothing.err).toContain(`${join(dir, "tour", "tour.json")} cannot be read (there is no such file)`);
      const both = await carabiner(["demo", dir, "--copy", dir], here.dir);
      expect(both).toMatchObject({ code: 1, out: "" });
    } finally {
      remove();
    }
  });
});

test("what does not hold is counted as it is spoken of", () => {
  const stage = { folder: "/tmp/stage", project: "/tmp/stage/shop", journalDir: "/tmp/stage/journal" } as Stage;
  const closing = (...holds: readonly boolean[]): string =>
    closingView(
      holds.map((one) => ({ that: "a hook ran", holds: one, found: one ? undefined : "it did not", firing: undefined })),
      { chapters: [] } as unknown as Played,
      stage,
      1000,
      { columns: 80, colour: false, home: "/home/me" },
    );
  expect(closing(true, false)).toContain("\n1 of 2 does not hold. ");
  expect(closing(false, false)).toContain("\n2 of 2 do not hold. ");
  expect(closing(true, true)).toContain("\nAll 2 hold. ");
});

test("Ctrl-C ends the tour and its agent, with the exit code that shells expect", async () => {
  const bin = join(import.meta.dirname, "..", "bin", "carabiner.js");
  const child = spawn(process.execPath, [bin, "demo"], {
    cwd: here.dir,
    env: { PATH: process.env["PATH"], TMPDIR: here.dir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    if (out.includes("\n2  ")) child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  expect(code).toBe(130);
  expect(out).not.toContain("What the tour expects");
}, 60_000);
