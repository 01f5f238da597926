// What must not compile in a dialect's table. Nothing here is run.
import { row } from "../../src/dialects/dialect.ts";
import { DIALECTS, type Dialect } from "../../src/dialects/index.ts";
import type { EventName } from "../../src/protocol/index.ts";

const cells = { matcher: { as: "exact" }, stdin: {}, exit2: "ignored", failClosed: false, plainText: "noted", source: "x" } as const;
const start = { facts: (_: unknown, example: { readonly source: string }) => example, example: { source: "startup" } };
const call = { name: "x", input: {} };

row("sessionStart", { ...cells, ...start, reads: [{ fills: "message", at: "systemMessage" }] });
// @ts-expect-error a session start cannot make a tail call
row("sessionStart", { ...cells, ...start, reads: [{ fills: "tailCall", at: "x", expected: "x", keys: [], as: () => undefined }] });
// @ts-expect-error a session start has no arguments to change
row("sessionStart", { ...cells, ...start, reads: [{ fills: "input", at: "x", how: "merge" }] });
// @ts-expect-error only afterTool and beforeAgent come in variants
row("beforeTool", { ...cells, facts: (_, example) => example, example: { tool: call }, reads: [], when: ["ok"] });
row("afterTool", {
  ...cells,
  facts: (_, example) => example,
  example: { tool: call, result: { content: "" } },
  reads: [],
  when: ["failed"],
  stdin: {
    // @ts-expect-error a tool event has no prompt
    prompt: (f) => f.prompt,
  },
});
row("beforeTool", {
  ...cells,
  facts: (_, example) => example,
  example: { tool: call },
  // @ts-expect-error a ruling has reasons and an expected type
  reads: [{ fills: "ruling", at: "decision", values: {} }],
});
row("beforeTool", {
  ...cells,
  facts: (_, example) => example,
  example: { tool: call },
  // @ts-expect-error a value stands for a ruling there is
  reads: [{ fills: "ruling", at: "decision", expected: "string", reason: [], values: { deny: "refuse" } }],
});
// @ts-expect-error exit 2 means one of three things
row("beforeTool", { ...cells, facts: (_, example) => example, example: { tool: call }, reads: [], exit2: "warn" });
// @ts-expect-error facts of another event
row("beforeTool", { ...cells, facts: (_, example) => example, example: { source: "startup" }, reads: [] });

/** A forgotten event does not compile. */
// @ts-expect-error every event but one
export const forgotten: Readonly<Record<EventName, true>> = { sessionStart: true };
// @ts-expect-error a dialect is for reading
(DIALECTS[0] as Dialect).id = "other";
