/** Turns the tables of all products into the words in which a hook holds something back. */
import { type AnyRow, DIALECTS, type Reads } from "../dialects/index.ts";
import { closest, isObject, type Json, type SlotName, strength } from "../protocol/index.ts";

interface Word {
  readonly path: string;
  readonly key: string;
  readonly value: string | boolean;
  /** By itself, whatever the key: a text that stands for a denial. */
  readonly denies: boolean;
}

const ASK = strength({ kind: "ask", reason: undefined });

/** What a hook prints that asks, denies or stops on this row; in the order of the table. */
export function wordsOf(row: AnyRow): readonly Word[] {
  return (row.reads as readonly Reads<SlotName>[]).flatMap((read) => {
    if (read.fills !== "ruling") return [];
    const values = Object.entries(read.values).filter(([, kind]) => kind !== "none" && strength({ kind, reason: undefined }) >= ASK);
    return values.map(([value, kind]) => ({
      path: read.at,
      key: read.at.split(".").at(-1) ?? "",
      value: read.expected === "boolean" ? value === "true" : value,
      denies: read.expected !== "boolean" && kind === "deny",
    }));
  });
}

/** How a denial is written on this row, for people; `undefined` where none is read. */
export function denialOf(row: AnyRow): string | undefined {
  const words = wordsOf(row);
  const word = words.find(({ denies }) => denies) ?? words[0];
  return word && `${word.path}: ${JSON.stringify(word.value)}`;
}

/**
 * Would this hold something back in any product's words, on whatever event? Denials count under any key, since every product has one of its own; what else
 * holds back, under its key or one that is a slip of the pen away. An object is looked into, no further.
 */
export function holdsBack(key: string, value: Json | undefined): boolean {
  return isObject(value) ? Object.entries(value).some(([inner, one]) => isHolding(inner, one)) : isHolding(key, value);
}

function isHolding(key: string, value: Json | undefined): boolean {
  known ??= DIALECTS.flatMap(({ rows }) => Object.values(rows)).flatMap(wordsOf);
  const same = known.filter((word) => word.value === value);
  return same.some(({ denies }) => denies) || closest(key, [...new Set(same.map((word) => word.key))]) !== undefined;
}
let known: readonly Word[] | undefined;
