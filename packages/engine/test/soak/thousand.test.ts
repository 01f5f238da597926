import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, expect, it } from "vitest";

const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-soak-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FIRINGS = 1_000;
const EACH = [90, 91];

interface Told {
  readonly recorded: number;
  readonly slowestMs: number;
  readonly grownMiB: number;
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly left: readonly string[];
}

it("a thousand firings at hooks that crash, hang, flood, ignore stdin and leave children leave nothing behind", {
  timeout: 240_000,
}, async () => {
  const program = join(root, "host.mjs");
  buildSync({
    entryPoints: [fileURLToPath(new URL("host.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "esm",
  });
  const { told, code } = await run(program);
  expect(code).toBe(0);
  expect(told.recorded).toBe(FIRINGS);
  const seen = Object.fromEntries(Object.entries(told.statuses).map(([name, counts]) => [name, Object.keys(counts)]));
  expect(seen).toEqual({
    fine: ["ok"],
    denies: ["ok"],
    crashes: ["signalled"],
    exits: ["exitedOther"],
    hangs: ["timedOut"],
    stubborn: ["timedOut"],
    floods: ["badOutput"],
    deaf: ["ok"],
    parent: ["ok"],
    garbage: ["ok"],
    missing: ["exitedOther"],
  });
  for (const counts of Object.values(told.statuses)) expect(EACH).toContain(Object.values(counts)[0]);
  expect(told.left).toEqual(["left"]);
  // A hook's own timeout, the grace and the drain are 100 ms; the rest is a busy machine.
  expect(told.slowestMs).toBeLessThan(3_000);
  expect(told.grownMiB).toBeLessThan(20);
  expect(workingIn(join(root, "project"))).toEqual([]);
  expect(await untilNobodyWorksIn(join(root, "end"))).toEqual([]);
});

/** The young generation is kept small: it grows in steps of its own, by tens of MiB, and says nothing about what is held. */
function run(program: string): Promise<{ readonly told: Told; readonly code: number | null }> {
  const child = spawn(process.execPath, ["--expose-gc", "--max-semi-space-size=1", program, root, String(FIRINGS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      try {
        resolve({ told: JSON.parse(text) as Told, code });
      } catch (error) {
        reject(new Error(`the host printed ${JSON.stringify(text)} and exited with ${code}`, { cause: error }));
      }
    });
  });
}

async function untilNobodyWorksIn(dir: string): Promise<readonly string[]> {
  for (let round = 0; round < 100 && workingIn(dir).length > 0; round++) await new Promise((go) => setTimeout(go, 50));
  return workingIn(dir);
}

/** The command lines of live processes whose directory this is; where there is no /proc nothing can be seen, and the statuses must do. */
function workingIn(dir: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0];
        if (state === "Z" || readlinkSync(`/proc/${pid}/cwd`) !== dir) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return []; // ENOENT, ESRCH: it ended while it was looked at; EACCES: it is not ours
      }
    });
}
