/** Aligns labels and what they stand for, wrapped beside them. */
import { padded, widthOf, wrapped } from "./fit.ts";
import type { Paint } from "./paint.ts";

/** `lines` are taken as they are; `text` is wrapped. */
export type Row = { readonly label: string } & ({ readonly text: string } | { readonly lines: readonly string[] });

/** Wide enough for every label of a hook, so that all hooks line up. */
export const LABEL_WIDTH = "kept from it".length;

export function labelled(rows: readonly Row[], indent: string, columns: number, paint: Paint, labelWidth = LABEL_WIDTH): readonly string[] {
  const hanging = indent + " ".repeat(labelWidth + 2);
  return rows.flatMap((row) => {
    const [first = "", ...rest] = "lines" in row ? row.lines : wrapped(row.text, columns - widthOf(hanging));
    const label = paint("muted", padded(row.label, labelWidth));
    return [`${indent}${label}  ${first}`.trimEnd(), ...rest.map((line) => `${hanging}${line}`.trimEnd())];
  });
}
