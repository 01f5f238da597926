/** The door of the room `trust`: may this folder's hooks run, and has the user seen or approved what they are now? */
export type { Fingerprint, Fingerprints, ScriptPrint } from "./fingerprint.ts";
export { createFingerprints } from "./fingerprint.ts";
export type { FolderQuestion, FolderTrust } from "./folder.ts";
export { folderTrust } from "./folder.ts";
export type { Gate, GateOptions, Notice, Unapproved, WouldRun } from "./gate.ts";
export { createGate } from "./gate.ts";
export type { ScriptFile } from "./scripts.ts";
export { scriptsOf } from "./scripts.ts";
export type { Standing } from "./standing.ts";
export { standings } from "./standing.ts";
export type { FolderRecord, HookRecord, Judged, TrustData, TrustStore } from "./store.ts";
export { createTrustStore, stateDir } from "./store.ts";
