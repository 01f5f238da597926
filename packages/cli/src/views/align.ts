/** Turns rows of cells into lines whose columns stand below each other, by the width that characters have on screen. */
import { cut, padded, widthOf } from "./fit.ts";

export interface Column {
  /** Cells wider than this are cut. Default: as wide as the widest cell. */
  readonly max?: number;
}

/** The last column has what is left of `width` columns; with an infinite width nothing is cut. */
export function aligned(rows: readonly (readonly string[])[], columns: readonly Column[], width: number): readonly string[] {
  const widths = columns.map(({ max = Number.POSITIVE_INFINITY }, i) =>
    Math.min(width === Number.POSITIVE_INFINITY ? width : max, Math.max(0, ...rows.map((row) => widthOf(row[i] ?? "")))),
  );
  return rows.map((cells) => {
    let used = 0;
    const line = cells.map((cell, i) => {
      const isLast = i === columns.length - 1;
      const room = isLast ? Math.max(10, width - used) : (widths[i] ?? 0);
      used += room + GAP.length;
      return isLast ? cut(cell, room) : padded(cut(cell, room), room);
    });
    return line.join(GAP).trimEnd();
  });
}
const GAP = "  ";
