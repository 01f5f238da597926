// Plays the story with a person who says yes: only where somebody can be asked is anybody notified.
import assert from "node:assert/strict";
import { openAgent } from "@carabiner/agent";

const [home, turns] = process.argv.slice(2);
const { signal } = new AbortController();
const questions = [];
const opened = await openAgent({
  cwd: process.cwd(),
  home,
  env: { ...process.env },
  flags: { model: `script/${turns}`, skipTrust: true },
  confirm: async (_call, details) => {
    questions.push(details.type);
    return true;
  },
  tell: () => undefined,
  onEngineEvent: () => undefined,
  signal,
});
assert.ok(opened.ok, opened.message);
await opened.agent.begin();
const done = await opened.agent.prompt("What happened last?", signal);
await opened.close("exit");
assert.equal(done.answer, "That is all.");
assert.deepEqual(questions, ["exec"]);
