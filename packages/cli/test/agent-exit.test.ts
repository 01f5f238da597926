// How the built command ends, as a child process: exit codes, and what goes to which stream.
import { chmodSync, existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { says, stage, WIRES } from "../../agent/test/loop/stage.ts";
import { startModelServer } from "../../agent/test/servers/model-server.ts";
import { carabiner, script, start } from "./agent-run.ts";

const calls = (command: string) => ({ calls: [{ name: "run_shell_command", input: { command } }] });

describe("carabiner ends with", () => {
  it("0 and the answer alone on stdout, whatever hooks and problems say on stderr", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: says({ systemMessage: "hook was here" }) }, { on: "BeforeTol" }]);
    const ran = await carabiner(on, [...script(on, { text: "The answer." }), "question"]);
    expect(ran).toMatchObject({ code: 0, stdout: "The answer.\n" });
    expect(ran.stderr).toContain("[hook] hook was here");
    expect(ran.stderr).toContain("BeforeTol");
  });

  it("0 when a hook blocks or stops the turn, which stderr says", async () => {
    const on = stage();
    on.hooks([{ on: "BeforeAgent", does: says({ decision: "deny", reason: "not this" }) }]);
    expect(await carabiner(on, [...script(on, { text: "x" }), "q"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "[WARNING] Agent execution blocked: not this\n",
    });
    on.hooks([{ on: "BeforeAgent", does: says({ continue: false, stopReason: "lunch" }) }]);
    expect(await carabiner(on, [...script(on, { text: "x" }), "q"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Agent execution stopped: lunch\n",
    });
  });

  it("1 when the model fails, with the session ended in good order", async () => {
    const on = stage();
    on.hooks([{ on: "SessionEnd" }]);
    const ran = await carabiner(on, [...script(on, { error: { message: "bad request", status: 400 } }), "q"]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("bad request");
    expect(on.seen("SessionEnd")).toHaveLength(1);
  });

  it("41 without a model, and says how to get one; a hook that answers needs none", async () => {
    const on = stage();
    const ran = await carabiner(on, ["q"]);
    expect(ran).toMatchObject({ code: 41, stdout: "" });
    expect(ran.stderr).toContain("GEMINI_API_KEY=...");
    on.hooks([
      {
        on: "BeforeModel",
        does: says({
          hookSpecificOutput: {
            hookEventName: "BeforeModel",
            llm_response: { candidates: [{ content: { role: "model", parts: ["from a hook"] } }] },
          },
        }),
      },
    ]);
    expect(await carabiner(on, ["q"])).toMatchObject({ code: 0, stdout: "from a hook\n" });
  });

  it("42 for input that cannot be used", async () => {
    const on = stage();
    const bad = [
      [],
      ["--approval-mode", "bold", "q"],
      ["--no-such-option"],
      ["--fake-responses", "nowhere.json", "q"],
      ["--resume", "nothing", "q"],
    ];
    const ran = await Promise.all(bad.map((args) => carabiner(on, args)));
    expect(ran.map(({ code, stdout, stderr }) => [code, stdout, stderr !== ""])).toEqual(bad.map(() => [42, "", true]));
  });

  it("52 for a settings file that was named and cannot be read", async () => {
    const on = stage();
    const ran = await carabiner(on, ["--settings", "nowhere.json", "q"]);
    expect(ran).toMatchObject({ code: 52, stdout: "" });
    expect(ran.stderr).toContain("nowhere.json");
    on.write("my project/broken.json", "{ nope");
    on.write("my project/list.json", "[]");
    for (const [named, why] of [
      ["broken.json", "is not valid JSON"],
      ["list.json", "Expected an object, found []"],
      [".", "it is a directory"],
    ] as const) {
      const { code, stdout, stderr } = await carabiner(on, ["--settings", named, ...script(on, { text: "never" }), "q"]);
      expect({ code, stdout }).toEqual({ code: 52, stdout: "" });
      expect(stderr).toContain(why);
      expect(stderr).toContain("It was named with --settings, so nothing was started.");
    }
  });

  it("0 with a broken settings file that nobody named, which is told once", async () => {
    const on = stage();
    on.write("home/.gemini/settings.json", "{ nope");
    const ran = await carabiner(on, [...script(on, { text: "ok" }), "q"]);
    expect(ran).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(ran.stderr.split("is not valid JSON")).toHaveLength(2);
  });

  it.skipIf(!existsSync("/dev/full"))("1 when stdout cannot be written, with the session ended in good order", async () => {
    const on = stage();
    on.hooks([{ on: "SessionEnd" }]);
    const turns = script(on, { text: "Writing.", ...calls("touch a.txt") }, { text: "Done." });
    expect(await carabiner(on, [...turns, "--yolo", "q"], { stdout: "/dev/full" })).toEqual({
      code: 1,
      stdout: "",
      stderr: "carabiner: stdout cannot be written (ENOSPC); what is said from here on is lost.\n",
    });
    expect(on.read("my project/a.txt")).toBe("");
    expect(on.seen("SessionEnd")).toHaveLength(1);
  });

  it("53 when the turns are used up, with what was done kept", async () => {
    const on = stage();
    const ran = await carabiner(on, [...script(on, calls("touch a.txt"), calls("touch b.txt")), "--yolo", "--max-turns", "1", "q"]);
    expect(ran).toMatchObject({ code: 53, stdout: "" });
    expect(ran.stderr).toContain("--max-turns");
    expect(on.read("my project/a.txt")).toBe("");
    expect(() => on.read("my project/b.txt")).toThrow("ENOENT");
  });

  it("55 when nobody has decided about the folder, naming what decides; hooks of it have not run", async () => {
    const on = stage();
    on.write(
      "my project/.gemini/settings.json",
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch ran" }] }] } }),
    );
    const args = [...script(on, { text: "hi" }), "q"];
    const ran = await carabiner(on, args);
    expect(ran).toMatchObject({ code: 55, stdout: "" });
    expect(ran.stderr).toContain("carabiner trust approve --folder");
    expect(() => on.read("my project/ran")).toThrow("ENOENT");
    expect(await carabiner(on, args, { env: { GEMINI_CLI_TRUST_WORKSPACE: "false" } })).toMatchObject({ code: 55 });
    const skipped = await carabiner(on, [...args, "--skip-trust"]);
    expect(skipped).toMatchObject({ code: 0, stdout: "hi\n" });
    expect(skipped.stderr).toContain("touch ran");
    expect(on.read("my project/ran")).toBe("");
  });

  it("its answer although whoever reads stderr or stdout has left", async () => {
    const on = stage();
    on.hooks([{ on: "SessionEnd" }]);
    const run = start(on, [...script(on, { text: "x".repeat(200_000) }), "q"]);
    run.child.stdout?.destroy();
    expect((await run.ended).code).toBe(0);
    expect(on.seen("SessionEnd")).toHaveLength(1);
  });

  it("its answer although neither transcript nor journal can be written, which it says", async () => {
    const on = stage();
    const args = [...script(on, { text: "still" }), "q"];
    on.write("home/.gemini", "a file where a folder should be");
    on.write("home/.carabiner", "here too");
    chmodSync(on.path("home/.gemini"), 0o600);
    const ran = await carabiner(on, args);
    expect(ran).toMatchObject({ code: 0, stdout: "still\n" });
    expect(ran.stderr).toMatch(/home\/\.gemini/);
    expect(ran.stderr).toMatch(/home\/\.carabiner/);
  });

  it("0 without waiting for a hook on the session's end, which finishes on its own", async () => {
    const on = stage();
    on.hooks([{ on: "SessionEnd", does: `until [ -e "$home/go" ]; do sleep 0.05; done; echo finished > "$home/finished"` }]);
    const ran = await carabiner(on, [...script(on, { text: "x" }), "q"]);
    expect(ran).toMatchObject({ code: 0, stdout: "x\n" });
    on.write("go", "");
    await expect.poll(() => existsSync(on.path("finished")), { timeout: 8000 }).toBe(true);
  });

  it("its answer although its input stays open and says nothing", async () => {
    const on = stage();
    const run = start(on, [...script(on, { text: "x" }), "q"], { stdin: null });
    expect(await run.ended).toMatchObject({ code: 0, stdout: "x\n" });
  });

  it.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("the answer of a model over the %s wire", async (format) => {
    const on = stage();
    const call = { calls: [{ name: "list_directory", input: { dir_path: "." } }], signature: "c2lnbmVk" };
    const server = await startModelServer(format, [call, { text: "seen" }]);
    onTestFinished(() => server.close());
    const { model, key, base } = WIRES[format];
    const ran = await carabiner(on, ["--model", model, "q"], { env: { [key]: "key", [base]: server.url } });
    expect(ran).toEqual({ code: 0, stdout: "seen\n", stderr: "" });
  });
});
