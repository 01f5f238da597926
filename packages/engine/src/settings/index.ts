/** The door of the room `settings`: settings files in, the registry and every other setting out. */
export type { CarabinerSettings, TrustPolicy } from "./carabiner-settings.ts";
export { canonicalJson } from "./definition.ts";
export type { ChangedFile, Enablement } from "./enablement.ts";
export { setAllEnabled, setEnabled } from "./enablement.ts";
export { readJsonText } from "./json-text.ts";
export type { NamedFile } from "./layers.ts";
export { PROJECT_SCOPES, realPath } from "./layers.ts";
export { readText } from "./read-settings.ts";
export { worldOf } from "./registry.ts";
export type { Sanitising } from "./sanitising.ts";
export type { View } from "./scalar.ts";
export { valueAt } from "./scalar.ts";
export type { Mention, MentionWorld } from "./script-mentions.ts";
export { mentions } from "./script-mentions.ts";
export type { FolderDecision, Settings, SettingsOptions, Snapshot, UntrustedView } from "./snapshot.ts";
export { createSettings } from "./snapshot.ts";
export { isFresh, stampOf, stampText } from "./stamps.ts";
export { writeFileAtOnce } from "./write-file.ts";
