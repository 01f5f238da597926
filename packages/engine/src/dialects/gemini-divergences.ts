/** Where the real Gemini CLI departs from its own documents, as conditions over a firing's record. Source: the study of the binary, section 10. */
import type { Divergence } from "./dialect.ts";

export const geminiDivergences: readonly Divergence[] = [];
