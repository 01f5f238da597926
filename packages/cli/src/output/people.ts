/** What goes to stderr while the agent runs: hooks' messages, failures, trust, and tools that failed. */
import type { AgentEvent } from "@carabiner/agent";
import { type EngineEvent, placeText, plain, problemText } from "@carabiner/engine";
import type { Io } from "../io.ts";

export interface People {
  readonly hearAgent: (event: AgentEvent) => void;
  readonly hearEngine: (event: EngineEvent) => void;
}

const TRUST = "          It runs on your machine. `carabiner trust list` shows all of them; `carabiner trust approve` approves them.";

/** A hook that takes longer than this is named while it runs. */
const PATIENCE_MS = 2_000;

/** `shows`: are running hooks shown? Source: the contracts, `hooksConfig.notifications`. */
export function people(io: Io, shows: () => boolean = () => true): People {
  const say = (text: string): void => io.err(`${plain(text)}\n`);
  const running = new Map<string, NodeJS.Timeout>();
  const told = new Set<string>();
  return {
    hearAgent: (event) => {
      switch (event.kind) {
        case "notice":
          // The engine tells a problem it has found again when the agent has told it already.
          told.add(event.text);
          return say(event.level === "info" ? event.text : `[${event.level.toUpperCase()}] ${event.text}`);
        case "modelRetry":
          return say(
            `[WARNING] The model did not answer (${event.why}). Trying again in ${Math.ceil(event.waitMs / 1000)} s (${event.attempt}).`,
          );
        case "compressed":
          return say(
            `The history was compressed from about ${event.from} to ${event.to} tokens; the last ${event.keptMessages} messages are kept word for word.`,
          );
        case "toolDone": {
          const { ended, isError, error, output } = event.done;
          const message = error?.message ?? String(output);
          if (ended === "hidden") return say(`Tool result blocked: ${message}`);
          return isError ? say(`Error executing tool ${event.name}: ${message}`) : undefined;
        }
        case "prompt":
          return event.origin === "retry" ? say(`[WARNING] Agent execution blocked: ${event.text}`) : undefined;
        default:
          return undefined;
      }
    },
    hearEngine: (event) => {
      switch (event.kind) {
        case "hookStarted": {
          const { firing, entry, index, total } = event;
          const which = total > 1 ? `, ${index} of ${total}` : "";
          const tell = (): void => (shows() ? say(`Waiting for the hook "${entry.name}" (${entry.wireName}${which}) ...`) : undefined);
          running.set(`${firing} ${entry.id}`, setTimeout(tell, PATIENCE_MS).unref());
          return undefined;
        }
        case "hookEnded": {
          const key = `${event.firing} ${event.entry.id}`;
          clearTimeout(running.get(key));
          running.delete(key);
          return undefined;
        }
        case "message":
          return say(event.message.level === "warning" ? `[WARNING] ${event.message.text}` : `[hook] ${event.message.text}`);
        case "unknownHook": {
          const { entry, command, why, scripts } = event.hook;
          const where = entry.place ? placeText(entry.place) : entry.id;
          say(`[WARNING] A hook of this project is about to run (${why}): ${entry.wireName}: ${command}`);
          say(`          ${where}${scripts.length > 0 ? `, with ${scripts.join(", ")}` : ""}`);
          if (told.has(TRUST)) return undefined;
          told.add(TRUST);
          return say(TRUST);
        }
        case "problem": {
          const text = problemText(event.problem);
          if (event.problem.level === "note" || told.has(text)) return undefined;
          told.add(text);
          return say(`[WARNING] ${text}`);
        }
        default:
          return undefined;
      }
    },
  };
}
