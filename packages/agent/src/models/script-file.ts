/** Turns the text of a script into the turns it holds, or says which line is wrong. */
import * as z from "zod/mini";
import { complaint, parsed } from "./json.ts";

const words = z.union([z.string(), z.array(z.string())]);

const turn = z.strictObject({
  text: z.optional(z.string()),
  chunks: z.optional(z.array(z.string())),
  thought: z.optional(z.string()),
  calls: z.optional(
    z.array(z.strictObject({ name: z.string(), input: z.optional(z.record(z.string(), z.json())), id: z.optional(z.string()) })),
  ),
  finish: z.optional(z.string()),
  usage: z.optional(z.strictObject({ prompt: z.optional(z.number()), candidates: z.optional(z.number()), total: z.optional(z.number()) })),
  error: z.optional(
    z.strictObject({
      message: z.string(),
      status: z.optional(z.int().check(z.gte(100), z.lte(599))),
      retryAfterMs: z.optional(z.number().check(z.gte(0))),
    }),
  ),
  delayMs: z.optional(z.number().check(z.gte(0))),
  when: z.optional(words),
  expect: z.optional(
    z.union([words, z.strictObject({ contains: z.optional(words), lacks: z.optional(words), tools: z.optional(z.array(z.string())) })]),
  ),
});

/** One answer of the scripted model, and the line it is written on. The fields are described at `openScript`. */
export type Turn = z.output<typeof turn> & { readonly line: number };

/** Turns in order, or the first mistake: line, place, expected and found. Blank lines and lines that begin with `#` or `//` are comments. */
export function readScript(
  text: string,
): { readonly ok: true; readonly turns: readonly Turn[] } | { readonly ok: false; readonly why: string } {
  const turns: Turn[] = [];
  for (const [index, written] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const line = index + 1;
    if (/^\s*(#|\/\/|$)/.test(written)) continue;
    const json = parsed(written);
    if (!json.ok) return { ok: false, why: `line ${line}: expected one JSON object a line (${json.why})` };
    const read = turn.safeParse(json.value);
    if (!read.success) return { ok: false, why: `line ${line}: ${complaint(read.error.issues)}` };
    const said = read.data;
    if (said.text !== undefined && said.chunks !== undefined)
      return { ok: false, why: `line ${line}: has "text" and "chunks"; expected one of them` };
    if ([said.text, said.chunks, said.thought, said.calls, said.error].every((field) => field === undefined)) {
      return { ok: false, why: `line ${line}: says nothing; expected "text", "chunks", "thought", "calls" or "error"` };
    }
    turns.push({ ...said, line });
  }
  return turns.length === 0 ? { ok: false, why: "holds no turn; expected at least one line with a JSON object" } : { ok: true, turns };
}
