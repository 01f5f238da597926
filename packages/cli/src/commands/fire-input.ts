/** Turns what `--input` names into one JSON object: JSON itself, a file, or standard input. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject, type JsonObject } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { cut, fileError } from "../views/index.ts";

export type ReadInput = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly problem: string };

/** `undefined`: nothing was given, and the object is empty. */
export async function readInput(given: string | undefined, io: Io): Promise<ReadInput> {
  if (given === undefined) return { ok: true, object: {} };
  const from = given === "-" ? "standard input" : given.startsWith("@") ? given.slice(1) : undefined;
  let text = given;
  try {
    if (given === "-") text = await readAll(io.stdin);
    else if (from !== undefined) text = await readFile(resolve(io.cwd, from), "utf8");
  } catch (error) {
    return { ok: false, problem: `--input: ${from} cannot be read (${fileError(error)}).` };
  }
  return parsed(text.replace(/^\uFEFF/, "").trim(), from);
}

function parsed(text: string, from: string | undefined): ReadInput {
  const where = from === undefined ? "--input" : `--input: ${from}`;
  const todo = from === undefined ? ` A file is named with @, as in --input @event.json.` : "";
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ok: true, object: value };
    return { ok: false, problem: `${where}: expected one JSON object, found ${short(text)}.` };
  } catch (error) {
    return { ok: false, problem: `${where}: not JSON (${messageOf(error)}). Expected one JSON object, found ${short(text)}.${todo}` };
  }
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

const short = (text: string): string => (text === "" ? "nothing" : cut(text, 60));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
