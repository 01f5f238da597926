/** `carabiner explain`, on a journal that real firings have written. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, hooks, type Place } from "./fire-place.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());

const idOf = (json: string): string => (JSON.parse(json) as { readonly record: { readonly id: string } }).record.id;

describe("explaining a firing", () => {
  it("tells the last one, or the one whose id begins so", async () => {
    place.settings({
      hooks: {
        ...hooks("SessionStart", undefined, { command: "true" }).hooks,
        ...hooks("AfterAgent", undefined, { command: "true" }).hooks,
      },
    });
    const first = idOf((await place.run(["fire", "SessionStart", "--json"])).out);
    await place.run(["fire", "AfterAgent"]);
    expect((await place.run(["explain"])).out).toMatch(/^AfterAgent: proceeds\n/);
    expect((await place.run(["explain", "last"])).out).toMatch(/^AfterAgent: proceeds\n/);
    expect((await place.run(["explain", first])).out).toMatch(/^SessionStart \(startup\): proceeds\n/);
    expect((await place.run(["explain", first.slice(0, 6)])).out).toMatch(/^SessionStart \(startup\): proceeds\n/);
  });

  it("tells the same story as the firing did, but for what hooks read", async () => {
    place.settings(hooks("BeforeTool", undefined, { name: "guard", command: "echo No. >&2; exit 2" }));
    const fired = await place.run(["fire", "BeforeTool", "--explain"]);
    const explained = await place.run(["explain"]);
    expect(explained).toEqual({ code: 0, out: fired.out.replace(/ {2}stdin[\s\S]*?\n\n/, "\n"), err: "" });
  });

  it("says why a hook did not run", async () => {
    place.settings({ ...hooks("BeforeTool", undefined, { name: "guard", command: "true" }), hooksConfig: { disabled: ["guard"] } });
    await place.run(["fire", "BeforeTool"]);
    const { code, out } = await place.run(["explain", "--why-not", "guard"]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toMatch(
      /^"guard", from \.gemini\/settings\.json:6 \(project\), did not run at BeforeTool \(write_file\): switched off in settings: hooksConfig\.disabled in \.gemini\/settings\.json\. To switch it on: carabiner hooks enable "guard"\. $/,
    );
    expect((await place.run(["explain", "--why-not", "gard"])).code).toBe(1);
  });

  it("prints the joined firing as JSON", async () => {
    place.settings(hooks("BeforeTool", undefined, { name: "guard", command: "true" }));
    const { record } = JSON.parse((await place.run(["fire", "BeforeTool", "--json"])).out) as { readonly record: object };
    const { code, out } = await place.run(["explain", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(record);
  });

  it("says so where the journal is empty, and what fills it", async () => {
    expect(await place.run(["explain"])).toEqual({
      code: 1,
      out: "",
      err: "The journal is empty: no hook has run yet that was recorded in ~/.carabiner/journal.\nFire an event with: carabiner fire BeforeTool\n",
    });
  });

  it("says so where there is no such firing", async () => {
    await place.run(["fire", "BeforeTool"]);
    expect(await place.run(["explain", "zzz"])).toEqual({
      code: 1,
      out: "",
      err: 'There is no firing "zzz" in the journal (~/.carabiner/journal).\nList them with: carabiner log\n',
    });
  });

  it("lists the firings that the beginning of an id fits, where it fits several", async () => {
    await place.run(["fire", "BeforeTool"]);
    await place.run(["fire", "BeforeTool"]);
    const { code, err } = await place.run(["explain", ""]);
    expect(code).toBe(1);
    expect(err).toMatch(/^Several firings begin with "": [0-9a-f]{6}-1, [0-9a-f]{6}-1\.\nGive more of the id\.\n$/);
  });

  it("leaves out lines of the journal that cannot be read, and says so", async () => {
    place.settings({ carabiner: { journal: { dir: "journal" } } });
    await place.run(["fire", "BeforeTool"]);
    place.write("journal/journal-20990101T000000000Z-1.jsonl", "{broken\n");
    const { code, out, err } = await place.run(["explain"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^BeforeTool/);
    expect(err).toMatch(/^\[WARNING\] .*journal-20990101T000000000Z-1\.jsonl:1:1: A line of the journal cannot be read: it is not JSON\./);
  });
});
