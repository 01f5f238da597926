/** The built program as a child process: what a shell sees of it. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, hooks, type Place } from "./fire-place.ts";

const BIN = fileURLToPath(new URL("../bin/carabiner.js", import.meta.url));
let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());

function ran(
  argv: readonly string[],
  stdin: string,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], { cwd: place.project, env: place.env, timeout: 15_000 });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.on("error", reject).on("close", (code) => resolve({ code, out, err }));
    child.stdin.end(stdin);
  });
}

describe("the built program", () => {
  it("fires an event read from a pipe, and explains it afterwards", async () => {
    place.userSettings(
      hooks("BeforeAgent", undefined, { name: "guard", command: "grep -q secret && { echo 'No secrets.' >&2; exit 2; } || exit 0" }),
    );
    const fired = await ran(["fire", "BeforeAgent", "--input", "-"], '{"prompt":"Tell the secret."}');
    expect(fired).toMatchObject({ code: 2, err: "" });
    expect(fired.out.split("\n").slice(0, 3)).toEqual([
      "BeforeAgent: blocked by guard",
      "  The prompt does not reach the model, and is not kept in the history. The user",
      "  reads:",
    ]);
    const explained = await ran(["explain", "--json"], "");
    expect(explained.code).toBe(0);
    expect(JSON.parse(explained.out)).toMatchObject({
      facts: { prompt: "Tell the secret." },
      outcome: { action: "discard", reason: "No secrets." },
    });
  });

  it("does not mind a reader that goes away", async () => {
    place.userSettings(hooks("SessionStart", undefined, { command: "true" }));
    await ran(["fire", "SessionStart"], "");
    const child = spawn(process.execPath, [BIN, "explain"], { cwd: place.project, env: place.env, timeout: 15_000 });
    child.stdout.destroy();
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it.skipIf(process.platform === "win32")("waits for a reader whose pipe is full and does not block, and loses nothing", async () => {
    place.userSettings({
      hooks: { BeforeTool: Array.from({ length: 400 }, (_, i) => ({ hooks: [{ type: "command", command: `exit ${i}` }] })) },
    });
    const pipe = join(place.project, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writing = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const child = spawn(process.execPath, [BIN, "hooks", "list", "--json"], {
      cwd: place.project,
      env: place.env,
      timeout: 30_000,
      stdio: ["ignore", writing, "ignore"],
    });
    closeSync(writing);
    // The document is longer than a pipe holds: from its first bytes on it is left alone for as long as the writer needs to fill the rest.
    const reader = new Socket({ fd: reading, readable: true, writable: false });
    let out = "";
    reader.setEncoding("utf8").once("data", () => {
      reader.pause();
      setTimeout(() => reader.resume(), 200);
    });
    reader.on("data", (text: string) => {
      out += text;
    });
    const closed = new Promise((resolve) => reader.on("close", resolve));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    await closed;
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(65_536);
    expect(JSON.parse(out)).toMatchObject({ hooks: { length: 400 } });
  });
});
