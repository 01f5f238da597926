/** `carabiner log`, on a journal that real firings have written. */

import { join } from "node:path";
import { createEngine } from "@carabiner/engine";
import { attachJournal } from "@carabiner/engine/journal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, hooks, type Place, steady } from "./fire-place.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());

const withoutTime = (text: string): string => steady(text).replace(/^\d\d-\d\d \d\d:\d\d:\d\d/gm, "WHEN");

describe("listing firings", () => {
  it("gives each a line, the newest last", async () => {
    place.settings(hooks("BeforeTool", "replace", { name: "guard", command: "exit 2" }, { command: "exit 1" }));
    await place.run(["fire", "SessionStart"]);
    await place.run(["fire", "BeforeTool", "--tool", "replace"]);
    const { code, out, err } = await place.run(["log"]);
    expect({ code, err, out: withoutTime(out).split("\n") }).toEqual({
      code: 0,
      err: "",
      out: [
        "WHEN  ID  SessionStart  startup  proceeds, no hooks, N ms",
        "WHEN  ID  BeforeTool    replace  blocked by guard, 1 of 2 hooks failed, N ms",
        "",
      ],
    });
  });

  it("keeps to the last ones, to one event in any product's words, or to one session", async () => {
    await place.run(["fire", "SessionStart", "--input", '{"session_id":"one"}']);
    await place.run(["fire", "BeforeTool", "--input", '{"session_id":"two","tool_name":"glob"}']);
    await place.run(["fire", "BeforeTool", "--input", '{"session_id":"two","tool_name":"replace"}']);
    const subjects = async (...argv: string[]) => {
      const { out } = await place.run(["log", "--json", ...argv]);
      return out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { readonly subject: string }).subject);
    };
    expect(await subjects()).toEqual(["startup", "glob", "replace"]);
    expect(await subjects("--last", "2")).toEqual(["glob", "replace"]);
    expect(await subjects("--event", "pretooluse")).toEqual(["glob", "replace"]);
    expect(await subjects("--event", "beforeTool", "--last", "1")).toEqual(["replace"]);
    expect(await subjects("--session", "one")).toEqual(["startup"]);
  });

  it("counts firings in which nothing ran", async () => {
    const engine = createEngine({ cwd: place.project, home: place.home, env: place.env });
    const journal = attachJournal(engine, join(place.home, ".carabiner", "journal"));
    const session = engine.session();
    for (let i = 0; i < 3; i++) await session.fire("beforeTool", { tool: { name: "glob", input: {} } });
    await engine.dispose();
    await journal.close();
    expect(await place.run(["log"])).toEqual({
      code: 0,
      out: "",
      err: "3 times an event was fired, and no hook was called: 3 BeforeTool.\n",
    });
    expect(await place.run(["log", "--event", "AfterTool"])).toMatchObject({ code: 1, out: "" });
  });

  it("says so where there is nothing to list", async () => {
    expect(await place.run(["log"])).toEqual({
      code: 1,
      out: "",
      err: "The journal is empty: no hook has run yet that was recorded in ~/.carabiner/journal.\nFire an event with: carabiner fire BeforeTool\n",
    });
    await place.run(["fire", "BeforeTool"]);
    expect(await place.run(["log", "--session", "nobody"])).toEqual({
      code: 1,
      out: "",
      err: "No firing in the journal (~/.carabiner/journal) is of that session.\n",
    });
  });

  it("refuses what cannot be meant", async () => {
    expect(await place.run(["log", "--last", "none"])).toEqual({
      code: 1,
      out: "",
      err: '--last "none": expected a whole number from 1.\n',
    });
    expect((await place.run(["log", "--event", "BeforeTol"])).err).toMatch(/^"BeforeTol" is not an event\. Did you mean "BeforeTool"\?/);
  });

  it("cuts lines to a terminal's width, and leaves them whole where there is no terminal", async () => {
    await place.run(["fire", "BeforeTool", "--tool", "mcp_a_very_long_server_name_and_its_tool"]);
    const shown = (await place.run(["log"], { isTTY: { out: true, err: false, in: false }, env: { ...place.env, NO_COLOR: "1" } })).out;
    expect(withoutTime(shown)).toMatch(/^WHEN {2}ID {2}BeforeTool {2}mcp_a_very_long\.\.\. {2}proceeds, /);
    expect((await place.run(["log"])).out).toContain("mcp_a_very_long_server_name_and_its_tool  proceeds, no hooks, ");
  });
});
