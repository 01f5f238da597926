/** Counts what a run cost: requests, tokens and tool calls, in the shape of Gemini CLI's JSON output. */
import type { AgentEvent } from "@carabiner/agent";

interface ModelStats {
  readonly api: { totalRequests: number; totalErrors: number; totalLatencyMs: number };
  readonly tokens: { prompt: number; candidates: number; total: number };
}
interface ToolStats {
  count: number;
  success: number;
  fail: number;
  durationMs: number;
}
export interface Stats {
  readonly models: Readonly<Record<string, ModelStats>>;
  readonly tools: {
    readonly totalCalls: number;
    readonly totalSuccess: number;
    readonly totalFail: number;
    readonly totalDurationMs: number;
    readonly byName: Readonly<Record<string, ToolStats>>;
  };
}

export interface Counter {
  readonly hear: (event: AgentEvent) => void;
  readonly stats: () => Stats;
  readonly totals: () => {
    readonly total_tokens: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly tool_calls: number;
  };
}

export function createCounter(): Counter {
  const models = new Map<string, ModelStats>();
  const tools = new Map<string, ToolStats>();
  let asked = "unknown";
  const ofModel = (name: string): ModelStats => {
    const stats = models.get(name) ?? {
      api: { totalRequests: 0, totalErrors: 0, totalLatencyMs: 0 },
      tokens: { prompt: 0, candidates: 0, total: 0 },
    };
    models.set(name, stats);
    return stats;
  };
  const counted = (name: string, success: boolean, durationMs: number): void => {
    const stats = tools.get(name) ?? { count: 0, success: 0, fail: 0, durationMs: 0 };
    stats.count++;
    if (success) stats.success++;
    else stats.fail++;
    stats.durationMs += Math.round(durationMs);
    tools.set(name, stats);
  };
  const sum = (of: (stats: ModelStats) => number): number => [...models.values()].reduce((total, stats) => total + of(stats), 0);
  const count = (of: (stats: ToolStats) => number): number => [...tools.values()].reduce((total, stats) => total + of(stats), 0);
  return {
    hear: (event) => {
      if (event.kind === "modelAsked") {
        asked = event.model;
        ofModel(asked).api.totalRequests++;
      } else if (event.kind === "modelRetry") ofModel(asked).api.totalErrors++;
      else if (event.kind === "modelAnswered") {
        const { api, tokens } = ofModel(asked);
        api.totalLatencyMs += Math.round(event.durationMs);
        tokens.prompt += event.usage?.prompt ?? 0;
        tokens.candidates += event.usage?.candidates ?? 0;
        tokens.total += event.usage?.total ?? 0;
      } else if (event.kind === "toolRan") counted(event.name, event.error === undefined, event.durationMs);
      // A call that was refused before it ran is a call that failed.
      else if (event.kind === "toolDone" && event.done.ran.length === 0) counted(event.name, false, 0);
    },
    stats: () => ({
      models: Object.fromEntries(models),
      tools: {
        totalCalls: count((tool) => tool.count),
        totalSuccess: count((tool) => tool.success),
        totalFail: count((tool) => tool.fail),
        totalDurationMs: count((tool) => tool.durationMs),
        byName: Object.fromEntries(tools),
      },
    }),
    totals: () => ({
      total_tokens: sum(({ tokens }) => tokens.total),
      input_tokens: sum(({ tokens }) => tokens.prompt),
      output_tokens: sum(({ tokens }) => tokens.candidates),
      tool_calls: count((tool) => tool.count),
    }),
  };
}
