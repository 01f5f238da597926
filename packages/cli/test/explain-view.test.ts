/** The whole story of a firing as text. */
import { stripVTControlCharacters } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firedView, storyView, widthOf } from "../src/views/index.ts";
import { denied, idAt, mixed, PLAIN, quiet, storyOf } from "./explain-story.ts";

const lines = (view: string): readonly string[] => {
  expect(view.endsWith("\n")).toBe(true);
  return view.slice(0, -1).split("\n");
};

/** How every story here begins. */
const begun = (what: string, project = "~/work"): readonly string[] => [
  `BeforeTool (write_file): ${what}`,
  "",
  "The event",
  "  firing        a1b2c3-1",
  "  at            2026-03-01 12:00:00, for 12 ms",
  `  project       ${project}`,
  "  session       session-1",
];
/** What is said of every hook that was called: the place and the name are its own. */
const called = (line: number, name: string, folder?: string): readonly string[] => [
  `     from          .gemini/settings.json:${line} (project)`,
  '     for           BeforeTool, matcher "write_file"',
  `     command       ./${name}.sh`,
  "     time          took 3 ms (limit 60 s), began 0 ms after the event",
  `     process       4711${folder === undefined ? "" : ` in ${folder}`}, started as bash`,
];

describe("the whole story of a firing", () => {
  it("tells the event, each hook, how it was decided, what happens now, and where the real CLI differs", () => {
    expect(lines(storyView(denied(), PLAIN))).toEqual([
      ...begun("blocked by guard"),
      "  tool.name     write_file",
      '  tool.input    {"file_path":"notes.txt"}',
      "",
      "Hooks: 2 configured, 2 of them called",
      "  1. guard: denies, and this decided",
      "     status        ok (ran, and its answer counted)",
      ...called(5, "guard"),
      "     ended         by itself, with exit code 2",
      "     stdout        nothing",
      "     stderr        | Not this file.",
      "     taken as      exit code 2: stdout is not read",
      "     says          denies:",
      "                   | Not this file.",
      "",
      "  2. asker: overruled: wants the user asked",
      "     status        ok (ran, and its answer counted)",
      ...called(6, "asker"),
      "     ended         by itself, with exit code 0",
      '     stdout        | {"decision":"ask"}',
      "     stderr        nothing",
      "     taken as      one JSON object: its fields count",
      "     says          wants the user asked",
      "",
      "How it was decided",
      "  1. guard: its decision says deny, and nothing said is stronger.",
      "  2. asker: its decision says ask, and is overruled by something stronger.",
      "  The strongest answer counts: deny, from 1. guard.",
      "  Overruled: 2. asker, which wants the user asked.",
      "",
      "What happens now",
      "  The tool does not run. The model reads this instead of a result:",
      "    | Not this file.",
      "",
      "Where the real CLI does otherwise",
      "  Gemini CLI, as seen in its versions 0.56 to 0.61:",
      '  - The real CLI gives "No reason provided" as the reason. [D26]',
    ]);
  });
  it("says why hooks were not called, shows the ends of long output, and names what was kept from a failed hook", () => {
    expect(lines(storyView(mixed(), PLAIN))).toEqual([
      ...begun("proceeds", "~/work, in ~/work/sub"),
      "  sub-agent     reviewer (agent-7)",
      "  tool.name     write_file",
      "  tool.input    {",
      '                  "file_path":',
      '                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '                aaaaaaa",',
      '                  "content": "one\\ntwo"',
      "                }",
      "",
      "Hooks: 5 configured, 2 of them called",
      "  1. format: not matched",
      "     status        notMatched (its event or matcher does not fit this firing)",
      '     why           its matcher "replace" does not fit "write_file"',
      "     from          .gemini/settings.json:5 (project)",
      "",
      "  2. twice: duplicate",
      "     status        duplicate (the same hook is configured elsewhere and ran from",
      "                   there)",
      "     why           the same hook is configured at .gemini/settings.json:8",
      "                   (project), and runs from there",
      "     from          .gemini/settings.json:6 (project)",
      "",
      "  3. upload: failed: command not found (exit code 127)",
      "     status        exitedOther (failed: it exited with a code that is neither 0",
      "                   nor 2, or refused where nothing can be refused)",
      ...called(7, "upload", "~/work"),
      "     ended         by itself, with exit code 127",
      "     stdout        nothing",
      "     stderr        | bash: line 1: ./upload.sh: No such file or directory",
      "     taken as      a failure: nothing it printed counts",
      "     warning       The hook's command was not found by bash (exit code 127). The",
      "                   action goes on as if the hook had said nothing. Check the",
      "                   path and the PATH variable.",
      "     kept from it  DEPLOY_TOKEN: variables that look like secrets. The setting",
      "                   security.environmentVariableRedaction.allowed hands them",
      "                   over.",
      "",
      "  4. counter: gives a message, changes the arguments",
      "     status        ok (ran, and its answer counted)",
      ...called(8, "counter", "~/work"),
      "     ended         by itself, with exit code 0",
      "     stdout        | line 1",
      "                   | line 2",
      "                   | line 3",
      "                   | line 4",
      "                   | line 5",
      "                   | line 6",
      "                   | line 7",
      "                   | line 8",
      "                   | [... 28 lines left out here; --json has them ...]",
      "                   | line 37",
      "                   | line 38",
      "                   | line 39",
      "                   | line 40",
      "     stderr        nothing",
      "     taken as      plain text, which is not one JSON object",
      "     says          message:",
      "                   | 40 lines",
      "     says          change of the arguments:",
      '                   | {"content":"x"}',
      "",
      "  Not for this event: later (AfterTool).",
      "",
      "How it was decided",
      "  4. counter: its message counts.",
      "  4. counter: its change of the arguments is applied.",
      "  No hook denied or stopped anything.",
      "",
      "What happens now",
      "  The tool runs with changed arguments:",
      '    | {"content":"x"}',
      "",
      "What the user sees",
      "  4. counter:",
      "    | 40 lines",
      "  A warning about a hook, as told above.",
      "",
      "Problems",
      "  Warning: 4. counter",
      "    This hook and 3. upload both changed content. The later one in configured",
      "    order counts.",
      "",
      "Where the real CLI does otherwise",
      "  Gemini CLI, as seen in its versions 0.56 to 0.61:",
      "  - The real CLI hands its whole environment to hooks unless",
      "    security.environmentVariableRedaction is switched on. [D21]",
      "  - In the real CLI the last tool_input replaces all arguments instead of being",
      "    merged over them. [D7]",
      "  Known to another version of carabiner only:",
      "  - elsewhere:X1",
    ]);
  });
  it("keeps off the screen what a hook asked to keep off the records", () => {
    expect(lines(storyView(quiet(), PLAIN))).toEqual([
      ...begun("blocked by secret"),
      "  told          A hook asked to keep input and output of this firing off the",
      "                records.",
      "",
      "Hooks: 1 configured, 1 of them called",
      "  1. secret: denies, keeps this out of the records, and this decided",
      "     status        ok (ran, and its answer counted)",
      ...called(5, "secret"),
      "     ended         by itself, with exit code 0",
      "     stdout        64 bytes, which the hook asked to keep off the records",
      "     stderr        nothing",
      "     taken as      one JSON object: its fields count",
      "     says          denies",
      "     says          wish to stay off the records",
      "",
      "How it was decided",
      "  1. secret: its wish to stay off the records counts.",
      "  The strongest answer counts: deny, from 1. secret.",
      "",
      "What happens now",
      "  The tool does not run. The model reads this instead of a result:",
      "    | (kept off the records)",
    ]);
  });
  it("says that no hooks are configured", () => {
    expect(lines(storyView(storyOf({}), PLAIN))).toEqual([
      ...begun("proceeds"),
      "  tool.name     write_file",
      '  tool.input    {"file_path":"notes.txt"}',
      "",
      "No hooks are configured",
      "  No settings file that was read has a hook.",
      "",
      "How it was decided",
      "  No hook was called, so everything goes on as it would without hooks.",
      "",
      "What happens now",
      "  The tool runs with its arguments as they are.",
    ]);
  });

  it("shows what hooks read on stdin where that is known", () => {
    const view = storyView(denied(), { ...PLAIN, stdin: new Map([[idAt(0), { tool_name: "write_file" }]]) });
    expect(view).toContain('  stdin         of the hooks of Gemini CLI:\n                {"tool_name":"write_file"}\n');
  });

  it("names the first of several failed hooks from which the same variables were kept", () => {
    const run = { ended: "signalled" as const, signal: "SIGKILL", withheldVariables: ["A_TOKEN"] };
    const view = storyView(storyOf({ one: { status: "signalled", run }, two: { status: "signalled", run } }), PLAIN);
    expect(view.match(/kept from it .*/g)).toEqual([
      "kept from it  A_TOKEN: variables that look like secrets. The setting",
      "kept from it  the same variables as from 1. one",
    ]);
  });

  it("is the same text in colour", () => {
    const coloured = storyView(mixed(), { ...PLAIN, colour: true });
    expect(coloured).not.toBe(storyView(mixed(), PLAIN));
    expect(stripVTControlCharacters(coloured)).toBe(storyView(mixed(), PLAIN));
  });

  it("fits every line into the columns and lets no control character through, whatever hooks are called and print", () => {
    const foreign = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.constant("\u001b[2J日本語".repeat(30)));
    fc.assert(
      fc.property(foreign, foreign, foreign, fc.integer({ min: 60, max: 140 }), (name, printed, why, columns) => {
        const ran = { stdout: printed, stdoutBytes: Buffer.byteLength(printed), opinion: { message: printed } };
        const story = storyOf(
          {
            ran: { status: "ok", entry: { name, command: printed }, run: ran },
            skipped: { status: "notMatched", why, entry: { name: why } },
          },
          { facts: { prompt: printed, [why]: { [name]: printed } }, session: name },
          { subject: name },
        );
        const view = storyView(story, { ...PLAIN, columns }) + firedView(story, { ...PLAIN, columns });
        for (const line of view.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(view).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
      { numRuns: 150 },
    );
  });
});
