/** Divergences at the model events: requests, tool limits, responses. */
import { isObject, type Json, type JsonObject, type Story, sameJson } from "../protocol/index.ts";
import type { Divergence } from "./dialect.ts";
import { binaryOutput, inBinaryOrder, ranIn, specific } from "./gemini-binary.ts";

const observed = "0.56 to 0.61";
const action = ({ fired }: Story): Json | undefined => fired.outcome["action"];
const isModelEvent = ({ event }: Story): boolean => event === "beforeModel" || event === "afterModel";
const facts = ({ fired }: Story, key: string): Json | undefined =>
  fired.facts && Object.hasOwn(fired.facts, key) ? fired.facts[key] : undefined;

export const modelDivergences: readonly Divergence[] = [
  {
    id: "D4",
    observed,
    when: (story) => story.event === "beforeModel" && action(story) === "answer",
    says: "The real CLI ignores a synthetic llm_response without a denial, and calls the model.",
  },
  {
    id: "D5",
    observed,
    when: (story) => story.event === "afterModel" && action(story) === "discard",
    says: "The real CLI shows the chunk all the same.",
  },
  {
    id: "D6",
    observed,
    when: (story) =>
      story.event === "afterModel" && action(story) === "proceed" && ranIn(story).some(({ run }) => Object.hasOwn(run.opinion, "response")),
    says: "In the real CLI the original text stays in the history, in later requests and in the transcript.",
  },
  {
    id: "EMPTY-CHUNK",
    observed,
    when: (story) =>
      story.event === "afterModel" && action(story) === "proceed" && ranIn(story).some(({ run }) => isEmptied(run.opinion["response"])),
    says: "The real CLI leaves the chunk as it is where llm_response has no part: an empty text would blank it.",
  },
  {
    id: "BUG-2",
    observed,
    when: (story) => isModelEvent(story) && isCancelled(story),
    says: "In the real CLI a later hook cancels a denial or stop, even by printing plain text.",
  },
  {
    id: "BUG-10",
    observed,
    when: losesChange,
    says: "The real CLI applies the last hook's llm_request alone: what earlier hooks changed is lost unless it repeats it.",
  },
  {
    id: "BUG-27",
    observed,
    when: (story) => story.event === "beforeModel" && action(story) === "proceed" && wipesConfig(story),
    says: "In the real CLI a config that does not name temperature, topP, topK or maxOutputTokens removes it from the request.",
  },
  {
    id: "LLM-10",
    observed,
    when: ({ event, fired }) => {
      const change = event === "beforeModel" ? fired.outcome["request"] : undefined;
      return isObject(change) && Object.keys(fieldsOf(change["config"])).some((key) => !SAMPLING.includes(key));
    },
    says: "The real CLI takes temperature, topP, topK and maxOutputTokens from a changed config, and ignores every other key.",
  },
  {
    id: "BUG-38",
    observed,
    when: (story) =>
      story.event === "beforeModel" &&
      action(story) === "block" &&
      ranIn(story).some((ran) => throwsInBinary(specific(binaryOutput(ran), "llm_response"))),
    says: "The real CLI stumbles over this llm_response and calls the model in spite of the denial.",
  },
  {
    id: "D27",
    observed,
    when: (story) =>
      story.event === "beforeToolSelection" &&
      ranIn(story).some(({ run }) => run.readAs === "object" || run.readAs === "text") &&
      !ranIn(story).some(({ run }) => Object.hasOwn(run.opinion, "toolLimit")),
    says: "In the real CLI any output at all replaces the request's tool configuration by AUTO without names.",
  },
  {
    id: "OUT-5",
    observed,
    when: (story) => story.event === "beforeToolSelection" && ranIn(story).some((ran) => isNoList(specific(ran.run.output, "toolConfig"))),
    says: "The real CLI stumbles over allowedFunctionNames that cannot be iterated, and drops what every hook of the firing said.",
  },
  {
    id: "D29",
    observed,
    when: (story) => {
      const request = facts(story, "request");
      return ranIn(story).length > 0 && isObject(request) && request["toolConfig"] !== undefined;
    },
    says: "The real CLI never shows toolConfig in llm_request.",
  },
  {
    id: "CHAIN",
    observed,
    when: (story) => story.event === "afterModel" && story.fired.runs.some(({ stdin }) => stdin !== undefined),
    says: "In the real CLI the hooks of a sequential group all see the original llm_response at AfterModel.",
  },
];

/** The binary keeps, of each key, what the last output that has it says. */
function isCancelled(story: Story): boolean {
  const outputs = inBinaryOrder(ranIn(story)).flatMap((ran): readonly JsonObject[] => [binaryOutput(ran) ?? []].flat());
  const last = (key: string): Json | undefined => outputs.findLast((output) => Object.hasOwn(output, key))?.[key];
  const denies = (value: Json | undefined): boolean => value === "deny" || value === "block";
  const lostDenial = outputs.some(({ decision }) => denies(decision)) && !denies(last("decision"));
  const lostStop = outputs.some((output) => output["continue"] === false) && last("continue") !== false;
  return story.fired.verdict.ruling !== undefined && (lostDenial || lostStop);
}

/** Something of the composed change is not in the request that the binary's last hook printed. */
function losesChange(story: Story): boolean {
  const change = story.fired.outcome["request"];
  if (!isObject(change)) return false;
  const last = lastRequest(story);
  const [config, messages] = [fieldsOf(last["config"]), list(last["messages"])];
  const hasModel = change["model"] === undefined || change["model"] === last["model"];
  const hasConfig = Object.entries(fieldsOf(change["config"])).every(([key, value]) => sameJson(value, config[key]));
  const hasMessages = list(change["messages"]).every((message) => {
    const { at, role, content } = fieldsOf(message);
    const printed = fieldsOf(messages[Number(at)]);
    return printed["role"] === role && printed["content"] === content;
  });
  return !(hasModel && hasConfig && hasMessages);
}
/** The one the binary applies. */
const lastRequest = (story: Story): JsonObject =>
  fieldsOf(
    inBinaryOrder(ranIn(story))
      .flatMap((ran) => specific(ran.run.output, "llm_request") ?? [])
      .at(-1),
  );
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const SAMPLING = ["temperature", "topP", "topK", "maxOutputTokens"];
function wipesConfig(story: Story): boolean {
  const last = lastRequest(story)["config"];
  const before = fieldsOf(fieldsOf(facts(story, "request"))["config"]);
  return isObject(last) && SAMPLING.some((key) => Object.hasOwn(before, key) && !Object.hasOwn(last, key));
}

const isEmptied = (response: Json | undefined): boolean => isObject(response) && list(response["parts"]).length === 0;

/** The binary walks candidates and their parts without looking whether they are there. Source: LLM-12. */
function throwsInBinary(response: Json | undefined): boolean {
  if (response === undefined || response === null || response === false || response === "" || response === 0) return false;
  const candidates = isObject(response) ? response["candidates"] : undefined;
  return (
    !Array.isArray(candidates) ||
    !candidates.every((one: Json) => isObject(one) && isObject(one["content"]) && Array.isArray(one["content"]["parts"]))
  );
}
function isNoList(toolConfig: Json | undefined): boolean {
  const names = isObject(toolConfig) ? toolConfig["allowedFunctionNames"] : undefined;
  return names !== undefined && names !== null && typeof names !== "string" && !Array.isArray(names);
}
