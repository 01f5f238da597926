/** Turns a story into one JSON object: the firing's record, with every configured hook in place of ids to look up. */
import type { JsonObject, Story } from "@carabiner/engine";

/** The fields of the journal's `fired` line; its `runs` and `changed` stand with their hooks under `entries`, each with status, why and run. */
export function storyJson({ event: _, variant, subject, projectDir, entries, fired }: Story): JsonObject {
  const { runs: _runs, changed: _changed, plan: _plan, kind: _kind, ...rest } = fired;
  const json: unknown = JSON.parse(JSON.stringify({ ...rest, variant, subject, projectDir, entries }));
  return json as JsonObject;
}
