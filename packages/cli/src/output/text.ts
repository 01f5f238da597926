/** The agent's answer as text on stdout, as it comes; nothing else goes there. */
import { plain } from "@carabiner/engine";
import type { Io } from "../io.ts";
import type { AgentOutput } from "./agent-output.ts";

export function textOutput(io: Io): AgentOutput {
  let last = "\n";
  return {
    begin: () => undefined,
    hear: (event) => {
      if (event.kind === "text" && event.agent === undefined && event.text !== "") {
        // A terminal would act on escape sequences; a pipe gets what the model said.
        io.out(io.isTTY.out ? plain(event.text) : event.text);
        last = event.text;
      }
      // What the model says between two tool calls is a paragraph of its own.
      if (event.kind === "toolAsked" && !last.endsWith("\n")) {
        io.out("\n");
        last = "\n";
      }
    },
    end: () => {
      if (!last.endsWith("\n")) io.out("\n");
    },
  };
}
