/** The engine in a loop of your own, without any framework. The model here is a list of answers, so that the example checks itself. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createEngine, type JsonObject, Refused } from "@carabiner/engine";

type Call = { readonly id: string; readonly name: string; readonly input: JsonObject };
type Answer = { readonly text: string; readonly calls: readonly Call[] };
const answers: Answer[] = [
  {
    text: "I will tidy up.",
    calls: [
      { id: "1", name: "delete_file", input: { path: "old.txt" } },
      { id: "2", name: "list_files", input: {} },
    ],
  },
  { text: "All done.", calls: [] },
  { text: "I ran them: the tests passed.", calls: [] },
  {
    text: "One more thing.",
    calls: [
      { id: "3", name: "halt", input: {} },
      { id: "4", name: "list_files", input: {} },
    ],
  },
];
const ran: string[] = [];
const tools: Readonly<Record<string, (input: JsonObject) => Promise<string>>> = {
  delete_file: async () => "deleted",
  list_files: async () => "a.txt b.txt",
};
const think = async (_history: readonly string[]): Promise<Answer> => answers.shift() ?? { text: "", calls: [] };

// --- the ten lines ----------------------------------------------------------------------------------------------
const engine = createEngine({ cwd: fileURLToPath(new URL("../project", import.meta.url)), trust: "warn" });
const hooks = engine.session();
const history = (await hooks.fire("sessionStart", { source: "startup" })).context.map((context) => context.framed);
const ask = (prompt: string) =>
  hooks.turn(prompt, async (asked, { context }) => {
    for (history.push(asked, ...context.map(({ framed }) => framed)); ; ) {
      const { text, calls } = await think(history);
      history.push(text);
      if (calls.length === 0) return text;
      const done = await hooks.tools(
        calls.map(({ id, ...call }) => ({ ...call, callId: id })),
        async (input, { name }) => ({ content: await run(name, input) }),
      );
      history.push(...done.map(({ output }) => String(output)));
      const stop = done.find((one) => one.stop)?.stop;
      if (stop) throw new Refused("stopped", stop.ends, stop.reason);
    }
  });
// -----------------------------------------------------------------------------------------------------------------

async function run(name: string, input: JsonObject): Promise<string> {
  ran.push(name);
  return tools[name]?.(input) ?? `There is no tool ${name}.`;
}

const first = await ask("tidy the project");
assert.equal(first.answer, "I ran them: the tests passed.");
assert.equal(first.tries, 2, "the hook sent the agent back once");
assert.deepEqual(ran, ["list_files"], "the deletion never ran");
// The history goes on across the retry: the denial and the hook's reason are both in it.
assert.ok(history.includes("Tool execution blocked: nothing is deleted here"));
assert.ok(history.includes("Run the tests, and say that they passed."));

const second = await ask("and now?");
assert.deepEqual([second.ended, second.reason], ["stopped", "halted by the guard"]);
assert.deepEqual(ran, ["list_files"], "a stop keeps the sibling call from starting");

await hooks.fire("sessionEnd", { reason: "exit" });
await engine.dispose();
console.log("bare loop: the guard denied, the retry kept the history, the stop stopped");
