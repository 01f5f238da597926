/** Turns what a function of the host returned into an Opinion: fields of the wrong shape, or without a meaning on the event, are named and left out. */
import {
  type Entry,
  type EventName,
  type EventSlots,
  isObject,
  type Json,
  type JsonObject,
  type Opinion,
  type Problem,
  type ProblemCode,
  type ProblemFacts,
  problem,
  RULINGS,
  type SlotName,
} from "../protocol/index.ts";
import { isPlainJson } from "./depth.ts";
import { SETTLING } from "./settle.ts";

/** `usable`: something of what was said counts, or nothing was said at all. */
export interface Said {
  readonly opinion: Opinion;
  readonly usable: boolean;
  readonly problems: readonly Problem[];
}

/** Never throws. `undefined` is no opinion. */
export function readSaid(entry: Entry, event: EventName, returned: unknown): Said {
  const problems: Problem[] = [];
  const note = <C extends ProblemCode>(code: C, facts: ProblemFacts[C]): void => {
    problems.push(problem(code, { entry: entry.id }, facts, entry.name));
  };
  if (returned === undefined || returned === null) return { opinion: {}, usable: true, problems };
  if (!isObject(returned)) {
    note("OUTPUT_BAD_VALUE", { path: "what it returned", expected: "an opinion (an object), or nothing", found: kindOf(returned) });
    return { opinion: {}, usable: false, problems };
  }
  const given = Object.entries(returned).filter(([, value]) => value !== undefined && value !== false);
  const counted = given.filter(([field, value]) => {
    const shape = Object.hasOwn(SHAPES, field) ? SHAPES[field as keyof typeof SHAPES] : undefined;
    if (!shape) note("OUTPUT_BAD_VALUE", { path: field, expected: `one of ${Object.keys(SHAPES).join(", ")}`, found: field });
    else if (!isPlainJson(value) || !shape.fits(value))
      note("OUTPUT_BAD_VALUE", { path: field, expected: shape.expected, found: kindOf(value) });
    else if (!means(event, field, value)) note("OUTPUT_FIELD_IGNORED", { path: field, event });
    else return true;
    return false;
  });
  const wrong = problems.some(({ code }) => code === "OUTPUT_BAD_VALUE");
  return { opinion: Object.fromEntries(counted), usable: counted.length > 0 || !wrong, problems };
}

/** What an event can honour, as values: the type beside it keeps the two alike. */
const SLOTS: { readonly [E in EventName]: { readonly [S in EventSlots[E]]: true } } = {
  sessionStart: { context: true },
  sessionEnd: {},
  beforeAgent: { context: true },
  afterAgent: { clearContext: true },
  beforeModel: { request: true, response: true },
  beforeToolSelection: { toolLimit: true },
  afterModel: { response: true },
  beforeTool: { input: true, context: true },
  permissionRequest: { input: true },
  afterTool: { result: true, context: true, tailCall: true },
  subagentStart: { context: true },
  subagentStop: { clearContext: true },
  beforeCompress: {},
  notification: {},
};
function means(event: EventName, field: string, value: Json): boolean {
  if (field === "ruling") return isObject(value) && rules(event, String(value.kind));
  return field === "message" || field === "quiet" || field === "withhold" || Object.hasOwn(SLOTS[event], field);
}
function rules(event: EventName, kind: string): boolean {
  const { denied, stopped, asks } = SETTLING[event];
  if (kind === "deny") return denied !== undefined;
  return kind === "ask" ? asks === true : kind === "allow" || stopped !== undefined;
}

type Shape = { readonly expected: string; readonly fits: (value: Json) => boolean };
const text: Shape = { expected: "a text", fits: (value) => typeof value === "string" };
const flag: Shape = { expected: "true", fits: (value) => value === true };
const optional = (object: JsonObject, key: string, type: "string" | "object"): boolean =>
  object[key] === undefined || (type === "object" ? isObject(object[key]) : typeof object[key] === type);
const texts = (value: Json | undefined): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
const SHAPES: Readonly<Record<"ruling" | SlotName, Shape>> = {
  ruling: {
    expected: `{kind, reason}, kind one of ${RULINGS.join(", ")}`,
    fits: (value) => isObject(value) && (RULINGS as readonly unknown[]).includes(value.kind) && optional(value, "reason", "string"),
  },
  message: text,
  context: text,
  input: {
    expected: '{how: "merge" or "whole", value: object}',
    fits: (value) => isObject(value) && (value.how === "merge" || value.how === "whole") && isObject(value.value),
  },
  result: { expected: "JSON", fits: () => true },
  request: {
    expected: "{model?, config?, messages?: [{at, role, content}]}",
    fits: (value) =>
      isObject(value) &&
      optional(value, "model", "string") &&
      optional(value, "config", "object") &&
      (value.messages === undefined || (Array.isArray(value.messages) && value.messages.every(isMessageChange))),
  },
  response: {
    expected: "{parts: array of texts, finishReason?, usage?}",
    fits: (value) =>
      isObject(value) && texts(value.parts) && optional(value, "finishReason", "string") && optional(value, "usage", "object"),
  },
  toolLimit: {
    expected: '{mode: "auto", "any" or "none", allowed: array of texts}',
    fits: (value) => isObject(value) && ["auto", "any", "none"].includes(String(value.mode)) && texts(value.allowed),
  },
  tailCall: {
    expected: "{name: text, input: object}",
    fits: (value) => isObject(value) && typeof value.name === "string" && value.name !== "" && isObject(value.input),
  },
  clearContext: flag,
  quiet: flag,
  withhold: flag,
};
const isMessageChange = (value: Json): boolean =>
  isObject(value) &&
  Number.isInteger(value.at) &&
  Number(value.at) >= 0 &&
  ["user", "model", "system"].includes(String(value.role)) &&
  typeof value.content === "string";

/** How a value that may be no JSON looks in a message. */
function kindOf(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return JSON.stringify(value).slice(0, 60);
  return Array.isArray(value)
    ? "a list"
    : value === null
      ? "null"
      : typeof value === "object"
        ? "an object of another shape"
        : `a ${typeof value}`;
}
