/** What a view must know of the reader: how wide, in colour or not, and whose home directory is `~`. */
import type { JsonObject } from "@carabiner/engine";

export interface ViewOptions {
  /** Columns of the terminal, or how wide a file's lines may be. */
  readonly columns: number;
  readonly colour: boolean;
  /** Absolute; paths below it are shown with `~`. */
  readonly home: string;
  /** An IANA name. Default: the machine's. */
  readonly timeZone?: string;
  /** What hooks read on stdin, by entry id, where it is known. */
  readonly stdin?: ReadonlyMap<string, JsonObject>;
}

interface Surroundings {
  readonly columns: number;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: { readonly out: boolean };
}

/** Colours only for a terminal whose user has not said no. Source: no-color.org. */
export function viewOptions({ columns, home, env, isTTY }: Surroundings): ViewOptions {
  const wanted = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return { columns, home, colour: isTTY.out && wanted };
}
