// The stories under examples/qoder-cn: each runs and checks itself.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../../../examples/qoder-cn", import.meta.url));
const stories = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

describe("the Qoder CN stories", () => {
  it("are four", () => {
    expect(stories.sort()).toEqual(["block-rm-rf", "keep-going", "lint-after-write", "notify"]);
  });

  it.each(stories)("%s is as told", async (story) => {
    const child = spawn("sh", [join(folder, story, "run.sh")], { env: { PATH: process.env["PATH"] }, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, said }).toEqual({ code: 0, said: expect.any(String) });
  });
});
