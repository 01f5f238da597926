/** The door of the room `journal`, and `@carabiner/engine/journal`: records on disk, written and read back. */
export { attachJournal, type Journal, type JournalOptions, type JournalSource } from "./attach.ts";
export { clipJson, clipText } from "./clip.ts";
export { type FoundFiring, findFiring } from "./find.ts";
export { type JournalQuery, type JournalReading, readJournal } from "./read.ts";
export { createRedactor, type Redactor } from "./redact.ts";
