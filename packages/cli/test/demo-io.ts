/** An Io that keeps what is printed, and a way to run one command line on it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../src/io.ts";
import { main } from "../src/main.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A fresh folder, and its removal. */
export function place(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-demo-test-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** `cwd` is where the command is typed; nobody looks on unless `tty`. */
export async function carabiner(
  argv: readonly string[],
  cwd: string,
  {
    tty = false,
    columns = 80,
    env = {},
  }: { readonly tty?: boolean; readonly columns?: number; readonly env?: Record<string, string> } = {},
): Promise<Ran> {
  let [out, err] = ["", ""];
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    cwd,
    home: cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdin: process.stdin,
    isTTY: { out: tty, err: tty, in: false },
    columns,
    now: () => new Date(),
    onSignal: () => () => undefined,
  };
  return { code: await main(argv, io), out, err };
}
