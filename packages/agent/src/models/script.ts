/** Turns a script, a JSON Lines file with one answer a line, into a Model that plays it: an agent without a provider, for tours and tests. */
import { readFileSync } from "node:fs";
import { newCallId } from "./gemini-words.ts";
import type { Chunk, Model, ModelCall, Part } from "./model.ts";
import { abortedError, kindOfStatus, ModelError } from "./model-error.ts";
import { pause } from "./retry.ts";
import { readScript, type Turn } from "./script-file.ts";

/** Where the script is, and what the model of it is called (`script/NAME` in messages). */
export interface ScriptOptions {
  readonly path: string;
  readonly name: string;
  readonly contextWindow: number;
}

/**
 * The scripted model, or what is wrong with its file. One line is one answer, in order; each line is one JSON object:
 *
 * - `text`, or `chunks` (the same streamed in pieces); `thought`; `calls: [{name, input, id?}]`
 * - `finish` (default `STOP`), `usage: {prompt, candidates, total}`, `delayMs` before each chunk
 * - `error: {message, status?, retryAfterMs?}`: the answer fails, after what else the line says; without a status as a lost connection
 * - `when`: this line is kept for a request that contains the text (or all texts of a list); others pass it by. For agents that run side by side
 * - `expect`: a text or a list that the request must contain, or `{contains, lacks, tools}`; `tools` are the names that may be called, in any order.
 *   A request contains a text if its system instruction, a message, the input of a call or a result does
 *
 * A request that is not as expected, and one for which no line is left, reject with kind `exhausted` and name the line.
 */
export function openScript(
  options: ScriptOptions,
): { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly message: string } {
  const who = `script/${options.name}`;
  let text: string;
  try {
    text = readFileSync(options.path, "utf8");
  } catch (error) {
    return { ok: false, message: `${who}: ${options.path} cannot be read (${error instanceof Error ? error.message : String(error)}).` };
  }
  const script = readScript(text);
  if (!script.ok) return { ok: false, message: `${who}: ${script.why}. The file is ${options.path}.` };
  const left = [...script.turns];
  const last = script.turns.at(-1)?.line ?? 0;
  return {
    ok: true,
    model: {
      provider: "script",
      name: options.name,
      contextWindow: options.contextWindow,
      async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<Chunk> {
        if (signal.aborted) throw abortedError(signal.reason);
        const heard = heardIn(call);
        const at = left.findIndex((turn) => listed(turn.when).every((text) => heard.includes(text)));
        const turn = left[at];
        if (!turn) throw new ModelError("exhausted", spent(who, left, last, call));
        left.splice(at, 1);
        const wrong = unexpected(turn, heard, call);
        if (wrong) throw new ModelError("exhausted", `${who}: line ${turn.line} ${wrong}. The request was: ${shortened(heard)}`);
        for (const chunk of chunksOf(turn)) {
          if (turn.delayMs !== undefined) await pause(turn.delayMs, signal);
          if (signal.aborted) throw abortedError(signal.reason);
          yield chunk;
        }
        if (turn.error) throw failed(who, turn.error);
      },
    },
  };
}

/** The last chunk says how the answer ends, as a provider's does; an answer that fails has no end. */
function chunksOf(turn: Turn): readonly Chunk[] {
  const calls: readonly Part[] = (turn.calls ?? []).map(({ id, name, input }) => ({
    type: "call",
    id: id ?? newCallId(),
    name,
    input: input ?? {},
  }));
  const texts = turn.chunks ?? (turn.text ? [turn.text] : []);
  const said: Chunk[] = [
    ...(turn.thought ? [{ parts: [{ type: "text" as const, text: turn.thought, thought: true as const }] }] : []),
    ...texts.map((text) => ({ parts: [{ type: "text" as const, text }] })),
    ...(calls.length > 0 ? [{ parts: calls }] : []),
  ];
  if (turn.error) return said;
  const { prompt, candidates, total } = turn.usage ?? {};
  const usage = {
    ...(prompt === undefined ? {} : { prompt }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(total === undefined ? {} : { total }),
  };
  const end = said.pop() ?? { parts: [] };
  return [...said, { ...end, finishReason: turn.finish ?? "STOP", ...(turn.usage ? { usage } : {}) }];
}

function failed(who: string, error: NonNullable<Turn["error"]>): ModelError {
  const { status, retryAfterMs } = error;
  const message = status === undefined ? `${who}: ${error.message}` : `${who} answered ${status}: ${error.message}`;
  return new ModelError(status === undefined ? "network" : kindOfStatus(status), message, { status, retryAfterMs });
}

function unexpected(turn: Turn, heard: string, call: ModelCall): string | undefined {
  const { expect } = turn;
  if (expect === undefined) return undefined;
  const { contains, lacks, tools } = typeof expect === "string" || Array.isArray(expect) ? { contains: expect } : expect;
  const missing = listed(contains).find((text) => !heard.includes(text));
  if (missing !== undefined) return `expects a request that contains ${JSON.stringify(missing)}`;
  const present = listed(lacks).find((text) => heard.includes(text));
  if (present !== undefined) return `expects a request without ${JSON.stringify(present)}`;
  if (!tools) return undefined;
  const found = callable(call);
  return found.join() === [...tools].sort().join()
    ? undefined
    : `expects the tools [${[...tools].sort().join(", ")}], but [${found.join(", ")}] may be called`;
}

function callable(call: ModelCall): readonly string[] {
  const limit = call.toolLimit ?? { mode: "auto", allowed: [] };
  if (limit.mode === "none") return [];
  const names = call.tools.map((tool) => tool.name).sort();
  return limit.allowed.length === 0 ? names : names.filter((name) => limit.allowed.includes(name));
}

/** The request as one text, each piece as a person would write it: no JSON escapes inside texts. */
function heardIn(call: ModelCall): string {
  const pieces = call.messages.flatMap((message) => message.parts.map(spoken));
  return [...(call.system === undefined ? [] : [call.system]), ...pieces].join("\n");
}

function spoken(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "call":
      return `${part.name} ${JSON.stringify(part.input)}`;
    case "result":
      return typeof part.output === "string" ? part.output : JSON.stringify(part.output);
    case "media":
      return part.mimeType;
  }
}

function spent(who: string, left: readonly Turn[], last: number, call: ModelCall): string {
  const heard = shortened(heardIn(call));
  if (left.length === 0) return `${who}: line ${last} was the last turn; the agent asked for another. The request was: ${heard}`;
  const waiting = left.map((turn) => turn.line).join(", ");
  return `${who}: no turn is left for this request (line ${waiting} waits for another text). The request was: ${heard}`;
}

const listed = (texts: string | readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === "string" ? [texts] : texts;

/** The end of it: that is what changed since the last request. */
const shortened = (text: string): string => (text.length <= 400 ? text : `...${text.slice(-400)}`);
