/** Turns the pieces of an answer into chunks of which the last that says something brings the finish, as it is on Gemini's wire. */
import type { Chunk, Part } from "./model.ts";

/** Something that is not there yet has begun: what came before it is not the end. */
export const MORE_COMES = "more comes";
export type Piece = Chunk | typeof MORE_COMES;

/**
 * Every chunk says something, but for the one of an answer that says nothing at all: finish, tokens and signatures go with their neighbour, and calls side
 * by side are one chunk. So the newest chunk is held back until the next one, or the end, is there. Rejects as `pieces` does, after what was said by then;
 * once the signal is aborted nothing more is said.
 */
export async function* holdingFinish(pieces: AsyncIterable<Piece>, signal: AbortSignal): AsyncGenerator<Chunk> {
  let held: Chunk | undefined;
  try {
    for await (const piece of pieces) {
      const before: Chunk | undefined = held;
      if (piece === MORE_COMES) {
        // Calls run when the answer has ended: nobody waits for them.
        if (!before || !says(before) || callsOnly(before)) continue;
        held = undefined;
        yield before;
      } else if (before && says(before) && says(piece) && !(callsOnly(before) && callsOnly(piece))) {
        held = piece;
        yield before;
      } else held = before ? { ...before, ...piece, parts: [...before.parts, ...piece.parts] } : piece;
    }
  } catch (error) {
    if (held && says(held) && !signal.aborted) yield held;
    throw error;
  }
  if (held) yield held;
}

const isEmpty = (part: Part): boolean => part.type === "text" && part.text === "";
const says = ({ parts }: Chunk): boolean => !parts.every(isEmpty);
const callsOnly = ({ parts }: Chunk): boolean => parts.every((part) => part.type === "call" || isEmpty(part));
