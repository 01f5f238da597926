import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJournal } from "../../src/journal/index.ts";
import { fired, folder, plan, registry } from "./sample.ts";

let bundle: string;
beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-journal-bundle-"));
  bundle = join(dir, "journal.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/journal/index.ts", import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});
afterAll(() => rmSync(join(bundle, ".."), { recursive: true, force: true }));

/** A process that attaches a journal, has `attach`, `tell`, `fired` and `dir` to work with, and does what `body` says. */
function host(dir: string, body: string, start: (file: string) => ChildProcess = (file) => spawn(process.execPath, [file])): ChildProcess {
  const file = join(folder(), "host.mjs");
  const lines = { registry: registry(), plan: plan(), fired: fired("x") };
  writeFileSync(
    file,
    `import { attachJournal } from ${JSON.stringify(bundle)};
const dir = ${JSON.stringify(dir)};
const { registry, plan, fired: sample } = ${JSON.stringify(lines)};
const fired = (id, more = {}) => ({ ...sample, id, ...more });
const problems = [];
let hear;
const journal = attachJournal({ subscribe: (listener) => ((hear = listener), () => {}) }, { dir, onProblem: (p) => problems.push(p.code) });
const tell = (...lines) => { for (const line of lines) hear({ kind: "line", line }); };
${body}`,
  );
  return start(file);
}
async function ended(child: ChildProcess): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (data) => {
    stdout += String(data);
  });
  child.stderr?.on("data", (data) => {
    stderr += String(data);
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
const idsIn = (dir: string): readonly string[] => readJournal(dir).stories.map((story) => story.fired.id);

describe("a process that ends", () => {
  it("has written everything when it calls process.exit right after a firing", async () => {
    const dir = folder();
    const child = host(dir, `tell(registry, plan, ...Array.from({ length: 500 }, (_, i) => fired("f" + i))); process.exit(7);`);
    expect(await ended(child)).toEqual({ code: 7, stdout: "", stderr: "" });
    expect(idsIn(dir)).toHaveLength(500);
    expect(readdirSync(dir)).toEqual([expect.stringMatching(new RegExp(`^journal-\\d{8}T\\d{9}Z-${child.pid}\\.jsonl$`))]);
  });

  it("has written everything when it ends by itself, is not kept alive, and when it crashes", async () => {
    const [quietly, crashing] = [folder(), folder()];
    const began = Date.now();
    const [first, second] = await Promise.all([
      ended(host(quietly, `tell(registry, plan, fired("f1")); if (process.getActiveResourcesInfo().includes("Timeout")) process.exit(9);`)),
      ended(host(crashing, `tell(registry, plan, fired("f1")); throw new Error("the host's fault");`)),
    ]);
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(first).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(second.code).toBe(1);
    expect([idsIn(quietly), idsIn(crashing)]).toEqual([["f1"], ["f1"]]);
  });

  it("leaves a journal that can be read up to the line it was killed in", async () => {
    const dir = folder();
    const child = host(
      dir,
      `tell(registry, plan, fired("f1")); setTimeout(() => process.stdout.write("written"), 300); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout ?? child, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(idsIn(dir)).toEqual(["f1"]);
  });

  it("shares the folder with others that write at the same time", async () => {
    const dir = folder();
    const body = (name: string): string => `tell(registry, plan);
for (let i = 0; i < 100; i++) { tell(fired("${name}" + i, { facts: { text: "x".repeat(5000) } })); if (i % 10 === 0) await new Promise((r) => setTimeout(r, 5)); }
await journal.close();`;
    const ends = await Promise.all(["a", "b", "c", "d"].map((name) => ended(host(dir, body(name)))));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 4 }, () => [0, ""]));
    expect(readdirSync(dir)).toHaveLength(4);
    const { stories, problems } = readJournal(dir);
    expect(new Set(stories.map(({ fired: { id } }) => id)).size).toBe(400);
    expect(problems).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("a disk that takes no more", () => {
  it("costs the records that do not fit, one problem, and nothing else", async () => {
    const dir = folder();
    const body = `tell(registry, plan, fired("f1")); journal.flush();
for (let i = 2; i < 6; i++) { tell(fired("f" + i, { facts: { text: "x".repeat(20000) } })); journal.flush(); }
process.stdout.write(JSON.stringify(problems));`;
    // A file may have 16 KiB; the signal that would end the process is ignored, so that the write fails as on a full disk.
    const limited = (file: string): ChildProcess =>
      spawn("bash", ["-c", `trap '' XFSZ; ulimit -f 16; exec "$@"`, "bash", process.execPath, file]);
    expect(await ended(host(dir, body, limited))).toEqual({ code: 0, stdout: '["JOURNAL_UNWRITABLE"]', stderr: "" });
    const [name = ""] = readdirSync(dir);
    expect(readFileSync(join(dir, name)).length).toBe(16 * 1024);
    const { stories, problems } = readJournal(dir);
    expect(stories.map(({ fired: { id } }) => id)).toEqual(["f1"]);
    expect(problems).toMatchObject([{ code: "JOURNAL_BAD_LINE", what: expect.stringContaining("ends in the middle") }]);
  });

  it.skipIf(spawnSync("prlimit", ["--version"]).status !== 0)(
    "is written to again when there is room, after the line that was cut off",
    async () => {
      const dir = folder();
      const body = `import { execFileSync } from "node:child_process";
const long = { ...registry, entries: registry.entries.map((entry) => ({ ...entry, command: "x".repeat(20000) })) };
tell(long, plan, fired("f1")); journal.flush();
execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=unlimited"]);
tell(fired("f2")); journal.flush(); tell(fired("f3"));`;
      const limited = (file: string): ChildProcess =>
        spawn("bash", ["-c", `trap '' XFSZ; ulimit -S -f 16; exec "$@"`, "bash", process.execPath, file]);
      expect(await ended(host(dir, body, limited))).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(readdirSync(dir)).toHaveLength(1);
      const { stories, problems } = readJournal(dir);
      expect(stories.map(({ fired: { id } }) => id)).toEqual(["f2", "f3"]);
      expect(problems).toMatchObject([{ code: "JOURNAL_BAD_LINE", place: { line: 1 }, what: expect.stringContaining("not JSON") }]);
    },
  );
});
