import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { attachJournal, readJournal } from "../../src/journal/index.ts";
import { watched, workplace } from "./workplace.ts";

const shell = { tool: { name: "run_shell_command", input: { command: "ls" } } };

describe("an engine that is disposed of", () => {
  it("ends the hooks that still run, tells the host to stop, and has told everything", async () => {
    const place = workplace();
    place.user({ BeforeTool: [`touch "$HOME/begun"; sleep 30; echo no >&2; exit 2`] });
    const { engine } = watched(place);
    const journal = attachJournal(engine, place.path("journal"));
    const firing = engine.session().fire("beforeTool", shell);
    await until(() => existsSync(join(place.home, "begun")));
    await engine.dispose();
    await journal.close();
    expect(await firing).toMatchObject({ action: "stop", record: { runs: [{ status: "cancelled" }] } });
    expect(readJournal(place.path("journal")).stories).toMatchObject([{ entries: [{ status: "cancelled" }] }]);
  });

  it("waits for what is about to end", async () => {
    const place = workplace();
    place.projects({ BeforeTool: ["echo no >&2; exit 2"] });
    const { engine, lines } = watched(place);
    const firing = engine.session().fire("beforeTool", shell);
    await engine.dispose();
    expect(lines().some(({ kind }) => kind === "fired")).toBe(true);
    expect(["block", "stop"]).toContain((await firing).action);
  });

  it("starts none of the hooks that still wait for a place", async () => {
    const place = workplace();
    place.user({ BeforeTool: [`echo x >>"$HOME/ran"; sleep 30`] });
    const { engine } = watched(place, { maxParallel: 1 });
    const session = engine.session();
    const firings = [session.fire("beforeTool", shell), session.fire("beforeTool", shell), session.fire("beforeTool", shell)];
    await until(() => existsSync(join(place.home, "ran")));
    await engine.dispose();
    expect((await Promise.all(firings)).map(({ action }) => action)).toEqual(["stop", "stop", "stop"]);
  });

  it("keeps nobody waiting for a question, and takes it for no yes", async () => {
    const place = workplace();
    place.projects({ BeforeTool: [`touch "$HOME/ran"`] });
    let asked = false;
    const { engine } = watched(place, {
      trust: "ask",
      askTrust: () => {
        asked = true;
        return new Promise<boolean>(() => undefined);
      },
    });
    const id = engine.hooks()[0]?.id ?? "";
    const firing = engine.session().fire("beforeTool", shell);
    await until(() => asked);
    await engine.dispose();
    expect(await firing).toMatchObject({
      action: "stop",
      record: { runs: [], changed: { [id]: { status: "unapproved" } } },
    });
    expect(existsSync(join(place.home, "ran"))).toBe(false);
  });
});

it("a firing that is aborted while a question is open stops at once, and its hook does not run", async () => {
  const place = workplace();
  place.projects({ BeforeTool: [`touch "$HOME/ran"`] });
  const controller = new AbortController();
  const { engine } = watched(place, {
    trust: "ask",
    askTrust: () => {
      controller.abort();
      return new Promise<boolean>(() => undefined);
    },
  });
  const outcome = await engine.session().fire("beforeTool", shell, { signal: controller.signal });
  expect(outcome).toMatchObject({ action: "stop", record: { runs: [] } });
  expect(existsSync(join(place.home, "ran"))).toBe(false);
});

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !condition(); round += 1) await sleep(20);
  expect(condition()).toBe(true);
}
