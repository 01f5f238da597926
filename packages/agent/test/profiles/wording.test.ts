// What a model is told of the tools in each product's words: the documented names and arguments, and nothing of the other product's.
import { DIALECTS, type Dialect } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import { spawnTool } from "../../src/agents/index.ts";
import { PROFILES, profileOf, wordingOf } from "../../src/profiles/index.ts";
import { type PresentedTool, presentTool, TOOLS, wanting } from "../../src/tools/index.ts";

const scout = {
  name: "scout",
  description: "Looks around.",
  tools: undefined,
  disallowedTools: [],
  model: undefined,
  maxTurns: undefined,
  prompt: "",
  file: "",
};
const all = [...TOOLS, spawnTool([scout], () => Promise.reject(new Error("Nobody is started here.")))];

function presented({ id, tools: words }: Dialect): readonly PresentedTool[] {
  return all.flatMap((tool) => {
    const name = words.tools.find(({ kind }) => kind === tool.kind)?.name ?? "";
    return presentTool(tool, words, wordingOf(profileOf(id), name)) ?? [];
  });
}
const dialect = (id: string): Dialect => {
  const found = DIALECTS.find((one) => one.id === id);
  if (!found) throw new Error(`There is no dialect ${id}.`);
  return found;
};
/** `name? ` marks an argument that a call may leave out, as the contract writes it. */
const argumentsOf = ({ parameters }: PresentedTool): string => {
  const { properties, required } = parameters as { readonly properties: object; readonly required: readonly string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(", ");
};

describe("in Qoder CN's words", () => {
  it("each tool has the arguments that its contract gives it", () => {
    expect(Object.fromEntries(presented(dialect("qoder-cn")).map((tool) => [tool.name, argumentsOf(tool)]))).toEqual({
      Read: "file_path, offset?, limit?",
      Grep: "pattern, path?, glob?",
      Glob: "pattern, path?",
      Edit: "file_path, old_string, new_string, replace_all?",
      Write: "file_path, content",
      Bash: "command, description?, timeout?, run_in_background?",
      WebFetch: "url, prompt",
      TaskCreate: "subject, description, activeForm?",
      TaskUpdate: "taskId, status?, subject?, description?, activeForm?, owner?, addBlocks?, addBlockedBy?",
      TaskGet: "taskId",
      TaskList: "",
      AskUserQuestion: "questions",
      Agent: "description, prompt, subagent_type",
    });
  });

  it("a question is a choice, and says nothing of kinds that only the other product has", () => {
    const asking = presented(dialect("qoder-cn")).find(({ name }) => name === "AskUserQuestion");
    expect(asking?.parameters).toMatchObject({
      properties: {
        questions: {
          minItems: 1,
          maxItems: 4,
          items: { required: ["question", "header", "options", "multiSelect"], properties: { options: { minItems: 2, maxItems: 4 } } },
        },
      },
    });
    expect(JSON.stringify(asking)).not.toMatch(/yesno|placeholder/);
  });

  it("a call without what the product asks for is told what it lacks", () => {
    const wording = wordingOf(profileOf("qoder-cn"), "WebFetch");
    expect(wanting(wording, { prompt: "see https://a.example", url: null })).toBe(
      "url: this argument is required. The call had only prompt; nothing was done. Call again with it.",
    );
    expect(wanting(wording, { url: "https://a.example", prompt: "all" })).toBeUndefined();
  });
});

describe.each(DIALECTS.map((one) => [one.id, one] as const))("in the words of %s", (_, one) => {
  it("no tool is described with a name of another product", () => {
    // Names that are no plain English words.
    const isName = (name: string): boolean => /_|[a-z][A-Z]/.test(name);
    const namesOf = ({ tools }: Dialect): readonly string[] =>
      tools.tools.flatMap(({ name, aliases = [], args }) => [name, ...aliases, ...Object.keys(args)]).filter(isName);
    const own = new Set(namesOf(one));
    const foreign = DIALECTS.flatMap(namesOf).filter((name) => !own.has(name));
    const text = JSON.stringify(presented(one));
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
    for (const { title } of DIALECTS) expect(text).not.toContain(title);
  });

  it("what the profile says of a tool is about a tool and arguments that there are", () => {
    const profile = PROFILES.find(({ dialect: id }) => id === one.id);
    for (const [name, { args = {}, required = [] }] of Object.entries(profile?.wording ?? {})) {
      const word = one.tools.tools.find((tool) => tool.name === name);
      expect(Object.keys(word?.args ?? {})).toEqual(expect.arrayContaining([...Object.keys(args), ...required]));
    }
  });
});
