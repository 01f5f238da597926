/** The one paragraph that says why a hook did not run, or did not decide. */
import { describe, expect, it } from "vitest";
import { whyNot } from "../src/views/index.ts";
import { denied, mixed, PLAIN, storyOf } from "./explain-story.ts";

const told = (answer: { readonly text: string }): readonly string[] => answer.text.replace(/\n$/, "").split("\n");

describe("why a hook did not run, or did not decide", () => {
  it.each<[string, readonly string[]]>([
    [
      "format",
      [
        '"format", from .gemini/settings.json:5 (project), did not run at BeforeTool',
        '(write_file): its matcher "replace" does not fit "write_file".',
      ],
    ],
    [
      "twice",
      [
        '"twice", from .gemini/settings.json:6 (project), did not run at BeforeTool',
        "(write_file): the same hook is configured at .gemini/settings.json:8 (project),",
        "and runs from there.",
      ],
    ],
    [
      "upload",
      [
        '"upload", from .gemini/settings.json:7 (project), ran at BeforeTool (write_file)',
        "and decided nothing, because it failed: command not found (exit code 127). The",
        "hook's command was not found by bash (exit code 127). The action goes on as if",
        "the hook had said nothing. Check the path and the PATH variable.",
      ],
    ],
    [
      "counter",
      [
        '"counter", from .gemini/settings.json:8 (project), ran at BeforeTool',
        "(write_file): it gives a message, changes the arguments, but it neither allows,",
        "denies nor stops anything.",
      ],
    ],
    [
      "later",
      [
        '"later", from .gemini/settings.json:9 (project), did not run at BeforeTool',
        "(write_file): it is configured for AfterTool, which is another event.",
      ],
    ],
    ["guard", ['There is no hook "guard". The hooks are: format, twice, upload, counter, later.']],
    ["conter", ['There is no hook "conter". Did you mean "counter"? The hooks are: format, twice,', "upload, counter, later."]],
  ])("%s, where hooks failed or were not called", (name, text) => {
    expect(told(whyNot(mixed(), name, PLAIN))).toEqual(text);
  });

  it.each<[string, readonly string[]]>([
    [
      "guard",
      [
        '"guard", from .gemini/settings.json:5 (project), ran at BeforeTool (write_file),',
        "and it decided: it denies. The outcome: blocked.",
      ],
    ],
    [
      "asker",
      [
        '"asker", from .gemini/settings.json:6 (project), ran at BeforeTool (write_file)',
        "and wants the user asked, but guard said something stronger (deny). The order",
        "is: ending the session or the turn beats deny, deny beats ask, ask beats allow.",
      ],
    ],
  ])("%s, where one hook overruled another", (name, text) => {
    expect(told(whyNot(denied(), name, PLAIN))).toEqual(text);
  });

  it("knows hooks by a part of their names, and answers for each that fits", () => {
    const story = storyOf({
      a: { status: "ok", entry: { name: "$GEMINI_PROJECT_DIR/hooks/Guard.sh" }, run: {} },
      b: { status: "disabled", why: "hooksConfig.disabled", entry: { name: "hooks/guard.sh" } },
    });
    expect(whyNot(story, "guard", { ...PLAIN, columns: 200 })).toEqual({
      known: true,
      text: [
        '"$GEMINI_PROJECT_DIR/hooks/Guard.sh", from .gemini/settings.json:5 (project), ran at BeforeTool',
        "(write_file) and decided nothing: it exited with code 0 and printed nothing on stdout, which means",
        "that it has no opinion.",
        "",
        '"hooks/guard.sh", from .gemini/settings.json:6 (project), did not run at BeforeTool (write_file):',
        "switched off in settings: hooksConfig.disabled. To switch it on: carabiner hooks enable",
        '"hooks/guard.sh".',
        "",
      ].join("\n"),
    });
  });

  it("says so where there are no hooks at all", () => {
    expect(whyNot(storyOf({}), "guard", PLAIN)).toEqual({ known: false, text: 'There is no hook "guard": no hooks are configured.\n' });
  });
});
