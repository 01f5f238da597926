import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcessEnd, readLeft } from "../../src/running/index.ts";
import { acting, aliveInGroup, bash } from "./orders.ts";

const root = mkdtempSync(join(tmpdir(), "carabiner-host-"));
const room = join(root, "running.mjs");
beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../src/running/index.ts", import.meta.url))],
    outfile: room,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs `body` as a program of its own, with the room as `running` and an order as `order`; `say(value)` is what it answers. */
async function host(
  body: string,
  order: ReturnType<typeof bash>,
): Promise<{ readonly said: unknown; readonly durationMs: number; readonly code: number | null }> {
  const file = join(root, `${Math.random()}.mjs`);
  writeFileSync(
    file,
    `import * as running from ${JSON.stringify(room)};
const order = { ...${JSON.stringify({ ...order, stdin: undefined })}, stdin: Buffer.from("{}") };
const say = (value) => process.stdout.write(JSON.stringify(value));
const stateDir = ${JSON.stringify(root)};
${body}`,
  );
  const before = performance.now();
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return { said: JSON.parse(text), durationMs: performance.now() - before, code };
}

describe("a host", () => {
  it("may end while a left hook runs: it goes on printing, and its end is there to read", async () => {
    const go = join(root, "go");
    const run = await host(
      `say(await running.runLeaving(order, { waitMs: 50, stateDir, tag: "x" }));`,
      bash(`until [ -e '${go}' ]; do sleep 0.02; done; echo still here; echo err >&2; sleep 0.1; exit 5`),
    );
    expect(run).toMatchObject({ code: 0, said: { kind: "left" } });
    const { dir } = run.said as { readonly dir: string };
    expect(readLeft(dir)).toBeUndefined();
    writeFileSync(go, "");
    expect(await ended(dir)).toMatchObject({ kind: "exited", exitCode: 5, stdout: "still here\n", stderr: "err\n" });
  });

  it("need not be there to end a left hook at its timeout", async () => {
    const run = await host(
      `say(await running.runLeaving(order, { waitMs: 0, stateDir, tag: "x" }));`,
      bash("echo early; sleep 30", { timeoutMs: 1_500 }),
    );
    const end = await ended((run.said as { readonly dir: string }).dir);
    expect(end).toMatchObject({ kind: "timedOut", afterMs: 1_500, stdout: "early\n" });
    expect(await aliveInGroup(end.pid)).toEqual([]);
  });

  it("is not kept alive by a hook of which something has moved out of its group with the pipes", async () => {
    const run = await host("say(await running.runProcess(order));", acting({ grandchild: "setsid", grandchildMs: 8_000 }, { drainMs: 50 }));
    expect(run).toMatchObject({ code: 0, said: { kind: "exited", escaped: true } });
    expect(run.durationMs).toBeLessThan(6_000);
  });

  it("takes its running hooks with it when it exits", async () => {
    const run = await host(
      `void running.runProcess(order);
const { existsSync, readFileSync } = await import("node:fs");
setInterval(() => { if (existsSync(order.env.PID_FILE)) { say(Number(readFileSync(order.env.PID_FILE, "utf8"))); process.exit(7); } }, 10);`,
      bash('echo $$ >"$PID_FILE.new"; trap "" TERM; mv "$PID_FILE.new" "$PID_FILE"; sleep 30; sleep 30', {
        env: { PATH: process.env["PATH"] ?? "", PID_FILE: join(root, "pid") },
      }),
    );
    expect(run.code).toBe(7);
    expect(run.said).toBeGreaterThan(1);
    expect(await aliveInGroup(Number(run.said))).toEqual([]);
  });
});

async function ended(dir: string): Promise<ProcessEnd> {
  for (let round = 0; round < 500; round += 1) {
    const end = readLeft(dir);
    if (end !== undefined) return end;
    await sleep(20);
  }
  throw new Error(`nothing ended in ${dir}`);
}
