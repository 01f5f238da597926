/** Turns a stream of bytes of any length into its head and its tail. */

/** A stream being kept; memory stays bounded whatever comes. */
export interface Kept {
  readonly add: (chunk: Buffer) => void;
  /** The kept text with a notice where something is missing. */
  readonly text: () => string;
}

/** A quarter of `maxBytes` for the head, the rest for the tail: errors and summaries stand at the end. */
export function keepEnds(maxBytes: number): Kept {
  const headBytes = Math.floor(maxBytes / 4);
  const tailBytes = maxBytes - headBytes;
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let dropped = 0;
  const trim = (): void => {
    const whole = Buffer.concat(tail);
    const over = Math.max(0, whole.length - tailBytes);
    dropped += over;
    // A copy, so that the large buffer behind the view can go.
    tail = [Buffer.from(whole.subarray(over))];
    tailLength = whole.length - over;
  };
  return {
    add: (chunk) => {
      const forHead = chunk.subarray(0, headBytes - headLength);
      if (forHead.length > 0) head.push(Buffer.from(forHead));
      headLength += forHead.length;
      const rest = chunk.subarray(forHead.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailLength += rest.length;
      if (tailLength > tailBytes * 2) trim();
    },
    text: () => {
      trim();
      const end = tail[0] ?? Buffer.alloc(0);
      if (dropped === 0) return Buffer.concat([...head, end]).toString("utf8");
      return `${wholeEnd(Buffer.concat(head))}\n[... ${dropped} bytes of output left out; the first ${headLength} and the last ${end.length} bytes are shown ...]\n${wholeStart(end)}`;
    },
  };
}

/** Without the torn character at a cut. */
const wholeEnd = (bytes: Buffer): string => bytes.toString("utf8").replace(/\uFFFD+$/, "");
const wholeStart = (bytes: Buffer): string => bytes.toString("utf8").replace(/^\uFFFD+/, "");
