/** Where the real Gemini CLI departs from its own documents, as conditions over a firing's record. Source: the study of the binary, section 10. */
import type { Divergence } from "./dialect.ts";
import { modelDivergences } from "./gemini-divergences-models.ts";
import { runDivergences } from "./gemini-divergences-runs.ts";
import { sessionDivergences } from "./gemini-divergences-session.ts";

/** Ids are those of the study. What no record can show is listed in docs/divergences-not-in-records.md. */
export const geminiDivergences: readonly Divergence[] = [...runDivergences, ...modelDivergences, ...sessionDivergences];
