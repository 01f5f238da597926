/** Turns what a tour left into commands to try next, which work in the folder it left. */
import { DIALECTS, isObject, type Story } from "@carabiner/engine";
import type { Checked } from "./demo-expect.ts";

export interface NextCommand {
  readonly why: string;
  /** One command for a shell; all lines but the last end with a backslash. */
  readonly lines: readonly string[];
}

/** About a firing that was not as expected, where there is one; else about the first call that hooks blocked. */
export function nextCommands(checked: readonly Checked[], stories: readonly Story[]): readonly NextCommand[] {
  const blocked = stories.find(({ event, fired }) => event === "beforeTool" && fired.outcome["action"] === "block");
  const call = blocked ?? stories.find(({ event }) => event === "beforeTool");
  const firing = checked.find((one) => !one.holds && one.firing !== undefined)?.firing ?? (call ?? stories[0])?.fired.id;
  return [
    ...(firing === undefined ? [] : [{ why: "one firing, told in full", lines: [`./carabiner explain ${firing}`] }]),
    ...(call === undefined ? [] : fireAgain(call)),
    { why: "which hooks there are, and whether they would run", lines: ["./carabiner hooks list"] },
  ];
}

/** In the words of the first dialect that has a hook there: its tools are the agent's tools. */
function fireAgain({ ran, subject, fired }: Story): readonly NextCommand[] {
  const place = (dialect: string | undefined): number => DIALECTS.findIndex(({ id }) => id === dialect);
  const [entry] = [...ran].sort((a, b) => place(a.dialect) - place(b.dialect));
  const tool = fired.facts?.["tool"];
  if (!entry || subject === undefined || !isObject(tool)) return [];
  const input = quoted(JSON.stringify(tool.input ?? {}));
  return [
    {
      why: "the same hooks, without an agent",
      lines: [`./carabiner fire ${entry.wireName} --tool ${quoted(subject)} --explain \\`, `--input ${input}`],
    },
  ];
}
const quoted = (text: string): string => (/^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
