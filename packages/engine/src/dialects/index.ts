/** The roll-call, and the door of the room `dialects`. */
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { qoderCn } from "./qoder-cn.ts";

export type {
  AnyRow,
  Beside,
  Cell,
  Decoding,
  Dialect,
  Divergence,
  EventRow,
  LayerSpec,
  MatcherSyntax,
  Path,
  Reads,
  SessionWords,
  Speaker,
  Stdin,
  Whereabouts,
} from "./dialect.ts";

/** Every dialect there is, in the order in which they are looked for. */
export const DIALECTS: readonly Dialect[] = [gemini, qoderCn];
export const dialectById = (id: string): Dialect | undefined => DIALECTS.find((dialect) => dialect.id === id);
export type { GeminiRequest } from "./gemini-contents.ts";
export { applyRequest, applyResponse, toRequest, toResponse } from "./gemini-contents.ts";
