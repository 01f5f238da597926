/** The built program as a child process: what a shell sees of it. */
import { spawn } from "node:child_process";
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
});
