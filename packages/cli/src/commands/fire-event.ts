/** Turns the word a person typed for an event into the row of a dialect's table, or into what is wrong with the word. */
import { type AnyRow, closest, DIALECTS, type Dialect } from "@carabiner/engine";
import { wrapped } from "../views/index.ts";

/** Whose words the facts are in, and what its hooks read. */
export interface EventChoice {
  readonly dialect: Dialect;
  readonly wireName: string;
  readonly row: AnyRow;
}
export type ReadEvent = ({ readonly ok: true } & EventChoice) | { readonly ok: false; readonly problem: string };

/** Any dialect's wire name or a canonical name, in any case; of several dialects with that word the first of `present`, then of all. */
export function readEvent(word: string, present: readonly Dialect[]): ReadEvent {
  const all = [...present, ...DIALECTS.filter((dialect) => !present.includes(dialect))].flatMap((dialect) =>
    Object.entries(dialect.rows).map(([wireName, row]): EventChoice => ({ dialect, wireName, row })),
  );
  const lower = word.toLowerCase();
  const found =
    all.find(({ wireName }) => wireName === word) ??
    all.find(({ row }) => row.on === word) ??
    all.find(({ wireName, row }) => wireName.toLowerCase() === lower || row.on.toLowerCase() === lower);
  return found ? { ok: true, ...found } : { ok: false, problem: unknown(word, all) };
}

function unknown(word: string, all: readonly EventChoice[]): string {
  const elsewhere = DIALECTS.find(({ notFiredHere }) => notFiredHere.some((name) => name.toLowerCase() === word.toLowerCase()));
  if (elsewhere) return `${JSON.stringify(word)} is an event of ${elsewhere.title} that is not fired here.`;
  const meant = closest(word, [...all.map(({ wireName }) => wireName), ...all.map(({ row }) => row.on)]);
  const lists = DIALECTS.map(({ title, rows }) => `${title}: ${Object.keys(rows).join(", ")}.`);
  const lines = [
    `${JSON.stringify(word)} is not an event.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`}`,
    ...lists,
  ];
  return lines.flatMap((line) => wrapped(line, 78)).join("\n");
}
