// Rule x mode x hook's verdict x somebody to ask or nobody, each in a session of its own: a real hook, a model over loopback, and the file that is written or not.
import { existsSync } from "node:fs";
import type { JsonObject } from "@carabiner/engine";
import { describe, expect, it } from "vitest";
import type { Mode } from "../../src/permissions/index.ts";
import { type Hook, says, served, stage } from "../loop/stage.ts";

type Said = "allow" | "ask" | "deny";
const SAID: readonly (Said | undefined)[] = [undefined, "allow", "ask", "deny"];

interface Product {
  readonly id: "gemini" | "qoder-cn";
  readonly write: string;
  readonly hook: (said: Said) => Hook;
  readonly rules: (effect: Said) => JsonObject;
}
const QODER: Product = {
  id: "qoder-cn",
  write: "Write",
  hook: (said) => ({
    on: "PreToolUse",
    does: says({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: said, permissionDecisionReason: "the guard's word" },
    }),
  }),
  rules: (effect) => ({ permissions: { [effect]: ["Write"] } }),
};
const GEMINI: Product = {
  id: "gemini",
  write: "write_file",
  hook: (said) => ({ on: "BeforeTool", does: says({ decision: said, reason: "the guard's word" }) }),
  rules: (effect) => ({ tools: { [{ allow: "allowed", ask: "confirmationRequired", deny: "exclude" }[effect]]: ["write_file"] } }),
};

/** `allow`: the file was written and nobody asked; `ask`: written after a yes; `deny`: not written, and nobody asked. */
async function cameTo(product: Product, mode: Mode, rule: Said | undefined, said: Said | undefined, interactive: boolean): Promise<string> {
  const on = stage();
  let asked = 0;
  const confirm = async (): Promise<boolean> => {
    asked += 1;
    return true;
  };
  on.hooks(said ? [product.hook(said)] : [], rule ? product.rules(rule) : {}, product.id);
  const calls = [{ id: "call_1", name: product.write, input: { file_path: "a.txt", content: "x" } }];
  const run = await served(on, "openai", [{ calls }, { text: "ok" }], {
    ...(interactive ? { confirm } : {}),
    flags: { dialects: [product.id], mode },
  });
  await run.ask("go");
  const written = existsSync(on.path("my project/a.txt"));
  if (asked > 1 || (asked === 1 && !written)) return `asked ${asked} times, written: ${written}`;
  return written ? (asked === 1 ? "ask" : "allow") : "deny";
}

async function row(product: Product, mode: Mode, rule: Said | undefined): Promise<string> {
  const halves: string[] = [];
  for (const interactive of [true, false])
    halves.push((await Promise.all(SAID.map((said) => cameTo(product, mode, rule, said, interactive)))).join(" "));
  return halves.join(" | ");
}

// The columns: no hook, its allow, its ask, its deny; first with somebody to ask, then headless.
type Row = [mode: Mode, rule: Said | undefined, expected: string];

describe("a hook of Qoder CN, whose allow skips the question, with a rule and a mode", () => {
  it.each<Row>([
    ["default", undefined, "ask allow ask deny | deny allow deny deny"],
    ["default", "allow", "allow allow ask deny | allow allow deny deny"],
    ["default", "ask", "ask allow ask deny | deny allow deny deny"],
    ["default", "deny", "deny deny deny deny | deny deny deny deny"],
    ["autoEdit", undefined, "allow allow ask deny | allow allow deny deny"],
    ["autoEdit", "ask", "ask allow ask deny | deny allow deny deny"],
    ["autoEdit", "deny", "deny deny deny deny | deny deny deny deny"],
    ["plan", undefined, "deny deny deny deny | deny deny deny deny"],
    ["plan", "allow", "deny deny deny deny | deny deny deny deny"],
    ["dontAsk", undefined, "deny allow deny deny | deny allow deny deny"],
    ["dontAsk", "allow", "allow allow deny deny | allow allow deny deny"],
    ["auto", undefined, "allow allow deny deny | allow allow deny deny"],
    ["auto", "ask", "deny allow deny deny | deny allow deny deny"],
    ["yolo", undefined, "allow allow ask deny | allow allow deny deny"],
    ["yolo", "ask", "allow allow ask deny | allow allow deny deny"],
    ["yolo", "deny", "deny deny deny deny | deny deny deny deny"],
  ])("%s, rule %s", async (mode, rule, expected) => {
    expect(await row(QODER, mode, rule)).toBe(expected);
  });
});

describe("a hook of Gemini CLI, whose allow skips nothing, with a rule and a mode", () => {
  it.each<Row>([
    ["default", undefined, "ask ask ask deny | deny deny deny deny"],
    ["default", "allow", "allow allow ask deny | allow allow deny deny"],
    ["default", "deny", "deny deny deny deny | deny deny deny deny"],
    ["autoEdit", undefined, "allow allow ask deny | allow allow deny deny"],
    ["autoEdit", "ask", "ask ask ask deny | deny deny deny deny"],
    ["plan", undefined, "deny deny deny deny | deny deny deny deny"],
    ["yolo", undefined, "allow allow ask deny | allow allow deny deny"],
    ["yolo", "deny", "deny deny deny deny | deny deny deny deny"],
  ])("%s, rule %s", async (mode, rule, expected) => {
    expect(await row(GEMINI, mode, rule)).toBe(expected);
  });
});
