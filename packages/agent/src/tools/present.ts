/** Turns a neutral tool into what a model is told of it in a product's words, and a call in those words back into a neutral input. */
import { type JsonObject, toNeutral as neutral, type ToolWord, type ToolWords } from "@carabiner/engine";
import type { NamedTool } from "./find-tool.ts";
import { lacking } from "./lacking.ts";
import type { ArgName, Tool } from "./tool.ts";

/** A function declaration for a model; `parameters` is a JSON Schema object. */
export interface PresentedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A product's own way of telling a model of a tool: where a lens stands between or the product asks for more, renaming describes it wrongly. */
export interface ToolWording {
  /** Wire name of an argument -> its schema, with a description. */
  readonly args?: Readonly<Record<string, JsonObject>>;
  /** Wire names of arguments that every call must have, beyond those that the tool cannot do without. */
  readonly required?: readonly string[];
}

/**
 * `undefined` when this vocabulary has no word for the tool. Arguments without a word are left out; a required one keeps its neutral name,
 * because without it no call could succeed.
 */
export function presentTool(
  tool: Tool,
  words: ToolWords,
  { args: worded = {}, required = [] }: ToolWording = {},
): PresentedTool | undefined {
  const word = words.tools.find((w) => w.kind === tool.kind);
  if (word === undefined) return undefined;
  const spoken = new Set(Object.values(word.args));
  const said = [
    ...Object.entries(word.args),
    ...Object.keys(tool.args)
      .filter((name) => tool.args[name]?.required === true && !spoken.has(name))
      .map((name) => [name, name] as const),
  ];
  const known = said.flatMap(([wire, neutral]) => {
    const arg = Object.hasOwn(tool.args, neutral) ? tool.args[neutral] : undefined;
    return arg === undefined ? [] : [{ wire, arg }];
  });
  return {
    name: word.name,
    description: tool.describe,
    parameters: {
      type: "object",
      properties: Object.fromEntries(
        known.map(({ wire, arg }) => [wire, own(worded, wire) ?? { ...arg.schema, description: arg.describe }]),
      ),
      required: known.filter(({ wire, arg }) => arg.required || required.includes(wire)).map(({ wire }) => wire),
    },
  };
}

/** What the model may say: an argument of the tool that it was not told of, under the name it has among us, would be one that no hook knows. */
export function heard(named: NamedTool | undefined, input: JsonObject): JsonObject {
  if (!named) return input;
  const { tool, word } = named;
  const spoken = new Set(Object.values(word.args));
  const isTold = (name: string): boolean =>
    Object.hasOwn(word.args, name) || !Object.hasOwn(tool.args, name) || (tool.args[name]?.required === true && !spoken.has(name));
  return Object.fromEntries(Object.entries(input).filter(([name]) => isTold(name)));
}

/** The input in neutral words. Unknown names, of tools and of arguments, are kept as they are. */
export function toNeutral(words: ToolWords, name: string, input: JsonObject): JsonObject {
  const word = words.tools.find((w) => w.name === name) ?? words.tools.find((w) => w.aliases?.includes(name) === true);
  return word === undefined ? input : neutral(word, input);
}

/** How the arguments of this word are called when a message names them to the model. */
export function argName(word: ToolWord): ArgName {
  const wire = new Map(Object.entries(word.args).map(([said, neutral]) => [neutral, said]));
  return (name) => wire.get(name) ?? name;
}

/** What a call in these words lacks although the product asks for it, in a sentence for the model. `null` counts as absent. */
export function wanting({ required = [] }: ToolWording, input: JsonObject): string | undefined {
  const given = Object.keys(input).filter((name) => input[name] !== null);
  const missing = required.find((name) => !given.includes(name));
  return missing === undefined ? undefined : lacking(missing, given);
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);
