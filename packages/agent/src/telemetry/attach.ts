/** Writes one record a hook run, a tool call and a model request to the file that the settings name. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Engine, EngineEvent, Json, JsonObject } from "@carabiner/engine";
import type { AgentEvent, Tell } from "../loop/index.ts";
import { type Attributed, apiRequest, type Common, hookCall, logRecord, scopeName, toolCall } from "./records.ts";
import type { TelemetrySettings } from "./settings.ts";

export interface TelemetryOptions {
  readonly engine: Engine;
  readonly settings: TelemetrySettings;
  /** What the product's record names begin with. */
  readonly prefix: string;
  readonly interactive: boolean;
  readonly sessionId: () => string;
  readonly now: () => Date;
  /** Told once when the file cannot be written. */
  readonly onProblem: (message: string) => void;
}
export interface Telemetry {
  readonly hear: Tell;
  /** Writes the metrics and stops listening. */
  readonly close: () => void;
}

type HookEnded = Extract<EngineEvent, { readonly kind: "hookEnded" }>;

export function attachTelemetry(options: TelemetryOptions): Telemetry {
  const { engine, settings, prefix, interactive, sessionId, now } = options;
  const { outfile, logPrompts } = settings;
  if (outfile === undefined) return { hear: () => undefined, close: () => undefined };
  let broken = false;
  const append = (record: Json): void => {
    if (broken) return;
    try {
      mkdirSync(dirname(outfile), { recursive: true });
      // Records are told apart by a closing brace, one line end and an opening brace. Source: the study of Gemini CLI, 9.1.
      appendFileSync(outfile, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      broken = true;
      options.onProblem(
        `Telemetry cannot be written to ${outfile} (${error instanceof Error ? error.message : String(error)}). The run goes on without it.`,
      );
    }
  };
  const told = (): Common => ({ prefix, sessionId: sessionId(), interactive, logPrompts, at: now() });
  const write = (make: (common: Common) => Attributed): void => {
    const common = told();
    append(logRecord(make(common), common));
  };

  const waiting = new Map<string, { readonly ended: HookEnded; readonly input: JsonObject | undefined }[]>();
  const calls = new Map<string, { count: number; totalMs: number }>();
  const unsubscribe = engine.subscribe((event) => {
    if (event.kind === "hookEnded") {
      waiting.set(event.firing, [...(waiting.get(event.firing) ?? []), { ended: event, input: event.stdin() }]);
      const stats = calls.get(event.entry.wireName) ?? { count: 0, totalMs: 0 };
      calls.set(event.entry.wireName, { count: stats.count + 1, totalMs: stats.totalMs + event.durationMs });
    }
    // Records come when the firing is over, in the order of its hooks. Source: the study of Gemini CLI, TEL-1.
    if (event.kind === "line" && event.line.kind === "fired") {
      const { id, quiet } = event.line;
      const ended = waiting.get(id) ?? [];
      waiting.delete(id);
      ended.sort((a, b) => a.ended.entry.order - b.ended.entry.order);
      for (const one of ended) write((common) => hookCall(one.ended, one.input, quiet, common));
    }
  });

  const hear = (event: AgentEvent): void => {
    if (event.kind === "modelAsked") write((common) => apiRequest(event, common));
    if (event.kind === "toolRan") {
      const { content } = event;
      write((common) => toolCall({ ...event, contentLength: typeof content === "string" ? content.length : undefined }, common));
    }
    if (event.kind === "toolDone" && event.done.ran.length === 0) {
      const error = event.done.error ?? { message: String(event.done.output) };
      write((common) =>
        toolCall(
          { name: event.name, input: event.input, durationMs: 0, error, promptId: sessionId(), mcp: false, contentLength: undefined },
          common,
        ),
      );
    }
  };
  return {
    hear,
    close: () => {
      unsubscribe();
      append(metrics(prefix, calls));
    },
  };
}

/** Source: the study of Gemini CLI, TEL-5 and TEL-6. */
function metrics(prefix: string, calls: ReadonlyMap<string, { readonly count: number; readonly totalMs: number }>): Json {
  const points = (of: (stats: { readonly count: number; readonly totalMs: number }) => Json): Json =>
    [...calls].map(([event, stats]) => ({ attributes: { hook_event_name: event }, value: of(stats) }));
  return {
    resource: { _rawAttributes: [["service.name", scopeName(prefix)]] },
    scopeMetrics: [
      {
        scope: { name: scopeName(prefix) },
        metrics: [
          { descriptor: { name: `${prefix}.hook_call.count`, type: "COUNTER", unit: "" }, dataPoints: points(({ count }) => count) },
          {
            descriptor: { name: `${prefix}.hook_call.latency`, type: "HISTOGRAM", unit: "ms" },
            dataPoints: points(({ count, totalMs }) => ({ count, sum: totalMs })),
          },
        ],
      },
    ],
  };
}
