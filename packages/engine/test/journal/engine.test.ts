import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { attachJournal, findFiring, readJournal } from "../../src/journal/index.ts";
import { findLeft, readLeft } from "../../src/running/index.ts";
import { createEngine } from "../../src/session/index.ts";
import { folder } from "./sample.ts";

it.skipIf(process.platform === "win32")("keeps what an engine's hooks do, those that outlive it included", async () => {
  const base = folder();
  const at = (name: string): string => join(base, name);
  const { cwd, home, stateDir, dir } = { cwd: at("project"), home: at("home"), stateDir: at("state"), dir: at("journal") };
  for (const made of [cwd, home, join(cwd, ".gemini")]) mkdirSync(made);
  const command = (text: string): object => ({ hooks: [{ type: "command", name: "own", command: text }] });
  const hooks = {
    BeforeTool: [{ matcher: "run_shell_command", ...command(`cat >/dev/null; echo '{"decision":"deny","reason":"no"}'`) }],
    SessionEnd: [command("sleep 0.8; echo late; exit 3")],
  };
  writeFileSync(join(cwd, ".gemini", "settings.json"), JSON.stringify({ hooks }));
  const host = (): ReturnType<typeof createEngine> =>
    createEngine({ cwd, home, stateDir, dialects: ["gemini"], env: { PATH: process.env["PATH"] }, folderTrust: true });

  const engine = host();
  const journal = attachJournal(engine, dir);
  const session = engine.session({ id: "s1" });
  const tool = (name: string, callId: string): Parameters<typeof session.fire<"beforeTool">>[1] => ({
    tool: { name, input: { command: "ls" }, callId },
  });
  const denied = await session.fire("beforeTool", tool("run_shell_command", "1"));
  expect(denied.action).toBe("block");
  await session.fire("beforeTool", tool("read_file", "2"));
  await session.fire("sessionEnd", { reason: "exit" });
  await engine.dispose();
  await journal.close();

  expect(findFiring(dir, denied.record.kind === "fired" ? denied.record.id : "").story?.entries.map(({ status }) => status)).toEqual([
    "ok",
    "notMatched",
  ]);
  const before = readJournal(dir);
  expect(before.problems).toEqual([]);
  expect(before.quiet).toMatchObject([{ event: "beforeTool", session: "s1", count: 1 }]);
  expect(before.stories.at(-1)?.entries.map(({ status }) => status)).toEqual(["notMatched", "left"]);

  const left = findLeft(join(stateDir, "left"))[0]?.dir ?? "";
  for (let i = 0; i < 100 && readLeft(left) === undefined; i++) await sleep(50);
  const next = host();
  await attachJournal(next, dir).close();
  await next.dispose();
  expect(readdirSync(join(stateDir, "left"))).toEqual([]);
  expect(findFiring(dir, "last").story?.entries[1]).toMatchObject({ status: "exitedOther", run: { exitCode: 3, stdout: "late\n" } });
});
