/** The door of the room `firing`: one firing, stage by stage, without I/O. */
export type { Admitted, Refusal } from "./admit.ts";
export { admitted } from "./admit.ts";
export type { ConditionPlace } from "./condition.ts";
export { whyNot } from "./condition.ts";
export type { Fired, FiringWorld, HookCall, HookInput } from "./fire.ts";
export { fire } from "./fire.ts";
export type { Happening } from "./match.ts";
export { matches, plan } from "./match.ts";
export { parse } from "./parse.ts";
export type { Circumstances } from "./record.ts";
export { divergencesOf, entryRecord, firedRecord, planRecord, registryRecord, runRecord } from "./record.ts";
export { SETTLING } from "./settle.ts";
export type { ShellPart, ShellParts } from "./shell-parts.ts";
export { shellParts } from "./shell-parts.ts";
export type { ShellPattern } from "./shell-pattern.ts";
export { fitsWords, guardsShell, isWholeCommand, patternWords } from "./shell-pattern.ts";
export { speaker, stdinObject, subjectOf, subjectsOf, toolOf, variantOf } from "./speak.ts";
export { wildcard } from "./wildcard.ts";
