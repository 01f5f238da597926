/** Turns the chunks of one output stream into one text: bounded in memory, decoded once, a character never split. */
import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import type { OutputBudget } from "./order.ts";

/** Smaller chunks are copied together: as a Buffer of its own, a one-byte write would cost a hundred times its size. */
const SMALL_BYTES = 16 * 1024;
const SLAB_BYTES = 64 * 1024;

export interface Captured {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface Capture {
  /** Keeps what the caps allow, and counts the rest. Chunks must not be changed afterwards. */
  readonly take: (chunk: Buffer) => void;
  /** Everything kept so far, decoded: call it once, at the end. */
  readonly read: () => Captured;
}

/** A stream of which at most `maxBytes` are kept (and at most what `budget` grants), from its beginning and without holes. */
export function createCapture(maxBytes: number, budget?: OutputBudget): Capture {
  const limit = Math.min(maxBytes, constants.MAX_STRING_LENGTH);
  const pieces: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  let slab: Buffer | undefined;
  let slabFrom = 0;
  let slabTo = 0;

  const flushSlab = (): void => {
    if (slab !== undefined && slabTo > slabFrom) pieces.push(slab.subarray(slabFrom, slabTo));
    slabFrom = slabTo;
  };

  const keep = (chunk: Buffer): void => {
    // Most hooks print one chunk: it is kept as it came.
    if (pieces.length === 0 && slab === undefined) {
      pieces.push(chunk);
      return;
    }
    if (chunk.length >= SMALL_BYTES) {
      flushSlab();
      pieces.push(chunk);
      return;
    }
    if (slab === undefined || slab.length - slabTo < chunk.length) {
      flushSlab();
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      slabFrom = 0;
      slabTo = 0;
    }
    slabTo += chunk.copy(slab, slabTo);
  };

  return {
    take(chunk) {
      const whole = kept === bytes;
      bytes += chunk.length;
      if (!whole) return;
      const room = Math.min(chunk.length, limit - kept);
      const granted = budget === undefined ? room : budget.take(room);
      if (granted <= 0) return;
      keep(granted === chunk.length ? chunk : chunk.subarray(0, granted));
      kept += granted;
    },
    read() {
      flushSlab();
      const [first, ...more] = pieces;
      const truncated = kept < bytes;
      if (first === undefined) return { text: "", bytes, truncated };
      const all = more.length === 0 ? first : Buffer.concat(pieces, kept);
      return { text: decode(all, truncated), bytes, truncated };
    },
  };
}

/** The text of UTF-8 bytes. Where our cap has cut them, half a last character is left out; the hook's own mistakes become U+FFFD. */
export function decode(bytes: Buffer, truncated: boolean): string {
  return truncated ? new StringDecoder("utf8").write(bytes) : bytes.toString("utf8");
}

/** A budget of `maxBytes`, shared by the runs it is handed to. First come, first served. */
export function createOutputBudget(maxBytes: number): OutputBudget {
  let left = maxBytes;
  return {
    take(bytes) {
      const granted = Math.max(0, Math.min(bytes, left));
      left -= granted;
      return granted;
    },
  };
}
