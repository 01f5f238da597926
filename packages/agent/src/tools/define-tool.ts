/** Turns a typed description of a tool (its arguments as one zod object) into a `Tool`. */
import type { JsonObject, ToolKind } from "@carabiner/engine";
import * as z from "zod";
import { failed } from "./failed.ts";
import { lacking } from "./lacking.ts";
import type { ArgName, ArgSpec, Checked, ConfirmDetails, Effect, Tool, ToolContext, ToolOutput } from "./tool.ts";

/** A tool as its file writes it. `args` describes every argument; `also` checks what no schema says and returns the problem. */
export interface ToolDefinition<T extends z.ZodObject> {
  readonly kind: ToolKind;
  readonly describe: string;
  readonly effect: Effect;
  readonly args: T;
  readonly also?: (value: z.infer<T>, say: ArgName) => string | undefined;
  readonly confirmation: (value: z.infer<T>, ctx: ToolContext) => Promise<ConfirmDetails> | ConfirmDetails;
  readonly run: (value: z.infer<T>, ctx: ToolContext) => Promise<ToolOutput> | ToolOutput;
}

/**
 * Checks, confirms and runs by one schema. `null` for an argument counts as absent, because models send it for "not given".
 * An exception inside `run` becomes an output with `error`: of type `cancelled` when the signal is aborted, else `execution_failed`.
 */
export function defineTool<T extends z.ZodObject>(definition: ToolDefinition<T>): Tool {
  const { kind, describe, effect } = definition;
  const parse = (
    input: JsonObject,
    say: ArgName,
  ): { readonly ok: true; readonly value: z.infer<T> } | { readonly ok: false; readonly problem: string } => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
    const parsed = definition.args.safeParse(given);
    if (!parsed.success) return { ok: false, problem: parsed.error.issues.map((issue) => sentence(issue, given, say)).join("\n") };
    const problem = definition.also?.(parsed.data, say);
    return problem === undefined ? { ok: true, value: parsed.data } : { ok: false, problem };
  };
  const must = (input: JsonObject): z.infer<T> => {
    const parsed = parse(input, (name) => name);
    if (!parsed.ok) throw new TypeError(`${kind}: run and confirmation take a checked input. ${parsed.problem}`);
    return parsed.value;
  };
  const check = (input: JsonObject, say: ArgName = (name) => name): Checked => {
    const parsed = parse(input, say);
    return parsed.ok ? { ok: true, value: asJson(parsed.value) } : parsed;
  };
  return {
    kind,
    describe,
    effect,
    args: argSpecs(definition.args),
    check,
    confirmation: async (input, ctx) => definition.confirmation(must(input), ctx),
    run: async (input, ctx) => {
      const value = must(input);
      if (ctx.signal.aborted) return failed("cancelled", "Cancelled before it began.");
      try {
        return await definition.run(value, ctx);
      } catch (error) {
        if (ctx.signal.aborted) return failed("cancelled", "Cancelled before it was done.");
        return failed("execution_failed", error instanceof Error ? error.message : String(error));
      }
    },
  };
}

const jsonObject = z.record(z.string(), z.json());
/** Through text, so that an absent optional argument is absent and not `undefined`. */
const asJson = (value: unknown): JsonObject => jsonObject.parse(JSON.parse(JSON.stringify(value)));

function argSpecs(args: z.ZodObject): Readonly<Record<string, ArgSpec>> {
  const whole = z.toJSONSchema(args, {
    io: "input",
    override: ({ jsonSchema }) => void (jsonSchema.maximum === Number.MAX_SAFE_INTEGER && delete jsonSchema.maximum),
  });
  return Object.fromEntries(
    Object.entries(whole.properties ?? {}).map(([name, property]) => {
      const { description = "", ...schema } = asJson(property);
      return [name, { schema, describe: String(description), required: whole.required?.includes(name) === true }];
    }),
  );
}

function sentence(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>, say: ArgName): string {
  const [first, ...rest] = issue.path.map(String);
  const where = [say(first ?? ""), ...rest].join(".");
  if (first !== undefined && rest.length === 0 && !Object.hasOwn(given, first)) return lacking(where, Object.keys(given).map(say));
  return `${where}: ${issue.message}. Nothing was done; call again with a corrected value.`;
}
