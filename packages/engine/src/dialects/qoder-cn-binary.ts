/** Turns what a hook printed and where it stands into what the real Qoder CN CLI binary makes of it: the ground that divergences are judged on. Source: the study, 2.3, 5 and 7.3. */
import { isObject, type Json, type JsonObject, type Scope, type Story } from "../protocol/index.ts";

type Entry = Story["entries"][number];
/** An entry of this dialect that was run. */
export type Ran = Entry & { readonly run: NonNullable<Entry["run"]> };

/** The binary's order of layers: flag, project, local, user. Source: the study, 2.3. */
const BINARY_ORDER: Readonly<Partial<Record<Scope, number>>> = { flag: 0, project: 1, local: 2, user: 3 };
export const binaryRank = ({ scope }: Entry): number => BINARY_ORDER[scope] ?? -1;

export const ownIn = ({ entries }: Story): readonly Entry[] => entries.filter(({ dialect }) => dialect === "qoder-cn");
/** Command hooks of this dialect that ran, in our order. */
export const ranIn = ({ ran }: Story): readonly Ran[] => ran.filter(({ dialect }) => dialect === "qoder-cn");

/** Group and file of an entry; an entry without a place is a group of its own. */
export const groupOf = ({ id, place }: Entry): string => (place ? `${place.file}\0${place.jsonPath.replace(/\.hooks\[\d+\]$/, "")}` : id);

/** Would the binary throw this whole output away? Source: the study, 7.2 and 7.3. */
export function isRefusedByBinary(output: JsonObject): boolean {
  return !fits(output, TOP) || !isSpecificUsable(output);
}

type Test = (value: Json) => boolean;
type Shape = Readonly<Record<string, Test>>;
const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const oneOf =
  (...words: readonly string[]): Test =>
  (value) =>
    typeof value === "string" && words.includes(value);

const TOP: Shape = {
  continue: flag,
  stopReason: text,
  suppressOutput: flag,
  systemMessage: text,
  decision: oneOf("approve", "block", "allow", "deny"),
  reason: text,
  async: (value) => value === true,
  asyncTimeout: (value) => typeof value === "number",
  hookSpecificOutput: isObject,
};

const CONTEXT: Shape = { additionalContext: text };
const CLEAR: Shape = { clearContext: flag };
/** By event name; the binary knows 27. An empty shape: no typed field was found. */
const SPECIFIC: Readonly<Record<string, Shape>> = {
  PreToolUse: {
    ...CONTEXT,
    permissionDecision: oneOf("allow", "deny", "ask", "defer"),
    permissionDecisionReason: text,
    updatedInput: isObject,
  },
  PostToolUse: CONTEXT,
  PostToolUseFailure: CONTEXT,
  SessionStart: CONTEXT,
  SubagentStart: CONTEXT,
  PreCompact: CONTEXT,
  PostCompact: CONTEXT,
  Notification: CONTEXT,
  Setup: CONTEXT,
  UserPromptSubmit: { ...CONTEXT, sessionTitle: text },
  PermissionRequest: { decision: isPermission },
  PermissionDenied: { retry: flag },
  Stop: CLEAR,
  SubagentStop: CLEAR,
  CwdChanged: CONTEXT,
  FileChanged: CONTEXT,
  WorktreeCreate: { worktreePath: text },
  Elicitation: { action: oneOf("accept", "decline", "cancel"), content: isObject },
  ElicitationResult: { action: oneOf("accept", "decline", "cancel"), content: isObject },
  SessionEnd: {},
  ConfigChange: {},
  StopFailure: {},
  InstructionsLoaded: {},
  WorktreeRemove: {},
  TeammateIdle: {},
  TaskCreated: {},
  TaskCompleted: {},
};

const fits = (object: JsonObject, shape: Shape): boolean =>
  Object.entries(shape).every(([key, test]) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    return value === undefined || test(value);
  });

function isPermission(value: Json): boolean {
  if (!isObject(value)) return false;
  if (value["behavior"] === "allow") return fits(value, { updatedInput: isObject });
  return value["behavior"] === "deny" && fits(value, { message: text, interrupt: flag });
}

/** Any of the 27 names will do; none at all, an unknown one, or a field of the wrong type will not. */
function isSpecificUsable(output: JsonObject): boolean {
  const specific = Object.hasOwn(output, "hookSpecificOutput") ? output["hookSpecificOutput"] : undefined;
  if (!isObject(specific)) return true;
  const name = specific["hookEventName"];
  const shape = typeof name === "string" && Object.hasOwn(SPECIFIC, name) ? SPECIFIC[name] : undefined;
  return shape !== undefined && fits(specific, shape);
}
