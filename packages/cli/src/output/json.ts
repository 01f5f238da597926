/** The agent's run as one JSON document on stdout. Source: Gemini CLI headless reference, "JSON output"; warnings as the study, 2.9. */
import type { Io } from "../io.ts";
import type { AgentOutput } from "./agent-output.ts";
import { banner } from "./banner.ts";
import { createCounter } from "./stats.ts";

export function jsonOutput(io: Io): AgentOutput {
  const counter = createCounter();
  const warnings: string[] = [];
  let sessionId: string | undefined;
  let response = "";
  return {
    begin: () => undefined,
    hear: (event) => {
      counter.hear(event);
      if (event.kind === "sessionStarted") sessionId = event.id;
      else if (event.kind === "text" && event.agent === undefined) response += event.text;
      // The response is the answer: what was said before a tool call is not part of it.
      else if (event.kind === "toolAsked" || event.kind === "prompt") response = "";
    },
    end: (ending) => {
      const said = banner(ending);
      if (said !== undefined) warnings.push(said);
      const document = {
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        ...(ending.kind === "done" ? { response } : {}),
        stats: counter.stats(),
        ...(ending.kind === "error" ? { error: { type: ending.type, message: ending.message, code: ending.code } } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      };
      io.out(`${JSON.stringify(document, null, 2)}\n`);
    },
  };
}
