/** The agent's run as JSON Lines on stdout, as it happens. Source: Gemini CLI headless reference, "Streaming output"; endings as the study, 2.9. */
import type { Io } from "../io.ts";
import type { AgentOutput } from "./agent-output.ts";
import { banner } from "./banner.ts";
import { createCounter } from "./stats.ts";

export function streamJsonOutput(io: Io): AgentOutput {
  const counter = createCounter();
  const began = io.now().getTime();
  const line = (event: { readonly type: string; readonly [key: string]: unknown }): void => {
    const { type, ...rest } = event;
    io.out(`${JSON.stringify({ type, timestamp: io.now().toISOString(), ...rest })}\n`);
  };
  return {
    begin: (prompt) => line({ type: "message", role: "user", content: prompt }),
    hear: (event) => {
      counter.hear(event);
      switch (event.kind) {
        case "sessionStarted":
          return line({ type: "init", session_id: event.id, model: event.model });
        case "text":
          return event.agent === undefined && event.text !== ""
            ? line({ type: "message", role: "assistant", content: event.text, delta: true })
            : undefined;
        case "toolAsked":
          return line({ type: "tool_use", tool_name: event.name, tool_id: event.callId, parameters: event.input });
        case "toolDone": {
          const { isError, output, error } = event.done;
          const failed = {
            status: "error",
            output,
            error: { type: error?.type ?? "execution_failed", message: error?.message ?? String(output) },
          };
          return line({ type: "tool_result", tool_id: event.callId, ...(isError ? failed : { status: "success", output }) });
        }
        case "notice":
          return event.level === "info" ? undefined : line({ type: "error", severity: event.level, message: event.text });
        default:
          return undefined;
      }
    },
    end: (ending) => {
      const said = banner(ending);
      if (said !== undefined && ending.kind === "done" && ending.done.ended !== "stopped")
        line({ type: "error", severity: "warning", message: said });
      const stats = { ...counter.totals(), duration_ms: io.now().getTime() - began };
      if (ending.kind === "error") line({ type: "result", status: "error", error: { type: ending.type, message: ending.message }, stats });
      else line({ type: "result", status: "success", stats });
    },
  };
}
