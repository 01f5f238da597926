/** Turns a stream into the end of what it said, on one line, for messages about a process that failed. */
import type { Readable } from "node:stream";

/** The last 400 characters so far; control characters become blanks. The stream is always read, so that its writer never waits. */
export function tailOf(stream: Readable | null): () => string {
  let tail = "";
  stream?.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-2_000);
  });
  return () => {
    const line = tail.replace(/[\s\x00-\x1f\x7f]+/g, " ").trim();
    return line.length > 400 ? `...${line.slice(-400)}` : line;
  };
}
