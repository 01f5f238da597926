import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { type Watched, type Workplace, watched, workplace } from "./workplace.ts";

const shell = { tool: { name: "run_shell_command", input: { command: "ls" } } };

/** An engine with hooks in the other product's words, in the user's settings. */
function qoder(hooks: Readonly<Record<string, readonly JsonObject[]>>): Watched & { readonly place: Workplace } {
  const place = workplace();
  const dir = join(place.home, ".qoder-cn");
  mkdirSync(dir, { recursive: true });
  const groups = Object.entries(hooks).map(([event, handlers]) => [
    event,
    [{ hooks: handlers.map((handler) => ({ type: "command", ...handler })) }],
  ]);
  writeFileSync(join(dir, "settings.json"), JSON.stringify({ hooks: Object.fromEntries(groups) }));
  return {
    place,
    ...watched(place, {
      dialects: ["qoder-cn"],
      tools: "gemini",
      env: { PATH: process.env["PATH"], HOME: place.home },
    }),
  };
}

describe("a hook that runs once", () => {
  it("is spent by its first success, in this session and its sub-agents, and in no other", async () => {
    const { engine, place } = qoder({ PreToolUse: [{ once: true, command: `echo x >>"$HOME/ran"; [ "$(wc -l <"$HOME/ran")" -gt 1 ]` }] });
    const session = engine.session();
    const statuses: unknown[] = [];
    for (const scope of [session, session, session, session.agent({ id: "a1", type: "helper" }), session.clear(), engine.session()]) {
      const { record } = await scope.fire("beforeTool", shell);
      statuses.push(record.kind === "fired" && (record.runs[0]?.status ?? Object.values(record.changed)[0]?.status));
    }
    expect(statuses).toEqual(["exitedOther", "ok", "spent", "spent", "spent", "ok"]);
    expect(readFileSync(join(place.home, "ran"), "utf8")).toBe("x\nx\nx\n");
  });
  it("runs once however many firings want it at the same time, and again only where it failed", async () => {
    const counts = `echo x >>"$HOME/ran"; n=$(wc -l <"$HOME/ran"); sleep 0.05; [ "$n" -gt 2 ]`;
    const { engine, place } = qoder({ PreToolUse: [{ once: true, command: counts }] });
    const session = engine.session();
    const scopes = [session, session, session.agent({ id: "a1", type: "helper" }), session, session, session.clear()];
    const outcomes = await Promise.all(scopes.map((scope) => scope.fire("beforeTool", shell)));
    const statuses = outcomes.map(
      ({ record }) => record.kind === "fired" && (record.runs[0]?.status ?? Object.values(record.changed)[0]?.status),
    );
    expect(statuses.map(String).toSorted()).toEqual(["exitedOther", "exitedOther", "ok", "spent", "spent", "spent"]);
    expect(readFileSync(join(place.home, "ran"), "utf8")).toBe("x\nx\nx\n");
  });
  it("holds up no firing that does not want it, nor one that is aborted", async () => {
    const { engine, place } = qoder({
      PreToolUse: [{ once: true, if: "Bash(ls*)", command: `touch "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done` }],
    });
    const session = engine.session();
    const first = session.fire("beforeTool", shell);
    await until(() => existsSync(join(place.home, "begun")));
    const other = await session.fire("beforeTool", { tool: { name: "run_shell_command", input: { command: "pwd" } } });
    expect(other.record).toMatchObject({ runs: [], changed: { [engine.hooks()[0]?.id ?? ""]: { status: "conditionFalse" } } });
    const controller = new AbortController();
    const waiting = session.fire("beforeTool", shell, { signal: controller.signal });
    controller.abort();
    expect(await waiting).toMatchObject({ action: "stop", record: { runs: [{ status: "cancelled" }] } });
    const third = session.fire("beforeTool", shell);
    writeFileSync(join(place.home, "go"), "");
    expect(await first).toMatchObject({ record: { runs: [{ status: "ok" }] } });
    expect(await third).toMatchObject({ record: { runs: [], changed: { [engine.hooks()[0]?.id ?? ""]: { status: "spent" } } } });
  });
  it("in the background is spent by its late success", async () => {
    const { engine, lines } = qoder({ PreToolUse: [{ once: true, async: true, command: "true" }] });
    const session = engine.session();
    await session.fire("beforeTool", shell);
    await until(() => lines().some(({ kind }) => kind === "late"));
    const { record } = await session.fire("beforeTool", shell);
    expect(record).toMatchObject({ runs: [], changed: { [engine.hooks()[0]?.id ?? ""]: { status: "spent" } } });
  });
});

describe("a hook in the background", () => {
  it("is not waited for and decides nothing; a late line says what became of it, and a ruling is a problem", async () => {
    const { engine, lines, problems, place } = qoder({
      PreToolUse: [{ async: true, command: `until [ -e "$HOME/go" ]; do sleep 0.02; done; echo no >&2; exit 2` }],
    });
    const outcome = await engine.session().fire("beforeTool", shell);
    expect(outcome).toMatchObject({ action: "proceed", record: { runs: [{ status: "left", ended: "left" }] } });
    expect(lines().some(({ kind }) => kind === "late")).toBe(false);
    writeFileSync(join(place.home, "go"), "");
    await until(() => problems().length > 0);
    const late = lines().find(({ kind }) => kind === "late");
    expect(late).toMatchObject({
      firing: outcome.record.kind === "fired" && outcome.record.id,
      run: { status: "ok", ended: "exited", exitCode: 2, stderr: "no\n" },
    });
    expect(problems()).toMatchObject([{ code: "LATE_RULING" }]);
  });
  it("goes on when the firing is aborted, and ends when the engine does", async () => {
    const { engine, lines, place } = qoder({ PreToolUse: [{ async: true, command: `echo $$ >"$HOME/pid"; sleep 30` }] });
    const controller = new AbortController();
    await engine.session().fire("beforeTool", shell, { signal: controller.signal });
    controller.abort();
    await until(() => existsSync(join(place.home, "pid")));
    await sleep(30);
    expect(lines().some(({ kind }) => kind === "late")).toBe(false);
    const began = performance.now();
    await engine.dispose();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(lines().find(({ kind }) => kind === "late")).toMatchObject({ run: { status: "cancelled" } });
  });
});

describe("a hook on the end of the session", () => {
  it("is waited for half a second, and may finish on its own", async () => {
    const place = workplace();
    place.user({ SessionEnd: [`until [ -e "$HOME/go" ]; do sleep 0.05; done; echo done >"$HOME/finished"`] });
    const { engine } = watched(place);
    const outcome = await engine.session().fire("sessionEnd", { reason: "exit" });
    expect(outcome.record).toMatchObject({ runs: [{ status: "left" }] });
    await engine.dispose();
    writeFileSync(join(place.home, "go"), "");
    await until(() => existsSync(join(place.home, "finished")));
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 1_500; round++) {
    if (holds()) return;
    await sleep(10);
  }
  throw new Error("waited for fifteen seconds in vain");
}
