/** Says where the journal is that firings in this folder are written to. */
import { join } from "node:path";
import { createEngine, type Engine } from "@carabiner/engine";
import type { JournalOptions } from "@carabiner/engine/journal";
import type { Io } from "../io.ts";

/** As the settings that count here say; by default below Carabiner's own folder. */
export function journalOptions(engine: Engine): JournalOptions {
  const { dir, maxBytes, maxDays, redact } = engine.snapshot().carabiner.journal;
  return { dir: dir ?? join(engine.stateDir, "journal"), maxBytes, maxDays, redact, leftDir: join(engine.stateDir, "left") };
}

/** The folder, for reading. */
export function journalDir({ cwd, home, env }: Io): string {
  return journalOptions(createEngine({ cwd, home, env })).dir;
}
