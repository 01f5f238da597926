// What must not compile for a host of the engine. Nothing here is run.
import type { Facts, Opinion, Outcomes, Session } from "@carabiner/engine";
import { createEngine } from "@carabiner/engine";

export async function host(session: Session): Promise<void> {
  const before = await session.fire("beforeTool", { tool: { name: "x", input: {} } });
  // @ts-expect-error the input to run with is only there once the refusals are excluded
  void before.input;
  if (before.action === "proceed") void before.input;
  // @ts-expect-error a reason is only there where something was refused
  if (before.action === "proceed") void before.reason;
  // @ts-expect-error facts of another event
  await session.fire("sessionEnd", { source: "startup" });
  // @ts-expect-error an event there is not
  await session.fire("beforeEverything", {});
  // @ts-expect-error a tool call has arguments
  await session.fire("beforeTool", { tool: { name: "x" } });
  // @ts-expect-error an observed event cannot be refused
  if ((await session.fire("notification", { type: "idle", message: "m" })).action === "block") return;
  // A value of an open list may be any text.
  await session.fire("sessionStart", { source: "teleport" });

  const after = await session.fire("afterModel", { request: { model: "m", messages: [], config: {} }, response: { parts: [] } });
  switch (after.action) {
    case "proceed":
      void after.response;
      break;
    case "discard":
    case "stop":
      void after.reason;
      break;
    default:
      after satisfies never;
  }
  // @ts-expect-error what hooks said cannot be changed
  after.messages.push({ text: "x", entry: "y", level: "info" });
}

const engine = createEngine({ cwd: "/" });
engine.register("beforeTool", ({ tool }) => ({ ruling: { kind: "deny", reason: tool.name } }));
// @ts-expect-error a tool event has no prompt
engine.register("beforeTool", (facts) => ({ message: facts.prompt }));
// @ts-expect-error a wire word is no ruling
engine.register("beforeTool", () => ({ ruling: { kind: "block", reason: "no" } }));
// @ts-expect-error wire fields are no opinion
engine.register("beforeTool", () => ({ decision: "deny" }));
// @ts-expect-error there is no such policy
createEngine({ cwd: "/", trust: "always" });
// @ts-expect-error the directory must be said
createEngine({});

/** A quiet opinion is the empty object. */
export const none: Opinion = {};
// @ts-expect-error a change says how it is made
export const change: Opinion = { input: { value: {} } };
// @ts-expect-error facts are for reading
export const rename = (facts: Facts["beforeTool"]): string => (facts.tool.name = "other");
// @ts-expect-error every action of an event is spoken for
export const word = (outcome: Outcomes["beforeAgent"]): string => ({ proceed: "on", discard: "off" })[outcome.action];
