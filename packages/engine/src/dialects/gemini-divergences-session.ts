/** Divergences at the session, agent, tool and notification events. */
import { isObject, type Json, type Story, sameJson } from "../protocol/index.ts";
import type { Divergence } from "./dialect.ts";
import { binaryOutput, inBinaryOrder, ranIn } from "./gemini-binary.ts";
import { geminiTools } from "./gemini-tools.ts";

const observed = "0.56 to 0.61";
const action = ({ fired }: Story): Json | undefined => fired.outcome["action"];
const fact = ({ fired }: Story, key: string): Json | undefined =>
  fired.facts && Object.hasOwn(fired.facts, key) ? fired.facts[key] : undefined;
const hasContext = ({ fired }: Story): boolean => fired.runs.some(({ opinion }) => Object.hasOwn(opinion, "context"));
const asks = (story: Story): boolean => story.event === "beforeTool" && story.fired.verdict.ruling?.kind === "ask";

export const sessionDivergences: readonly Divergence[] = [
  {
    id: "D12",
    observed,
    when: (story) => story.event === "sessionStart" && story.subject === "clear" && hasContext(story),
    says: "The real CLI drops added context after /clear.",
  },
  {
    id: "D13",
    observed,
    when: (story) => story.event === "sessionEnd" && ranIn(story).some(({ run }) => run.ended === "left"),
    says: "The real CLI waits for SessionEnd hooks, up to their timeout.",
  },
  {
    id: "GAP-9",
    observed,
    when: (story) =>
      story.event === "sessionEnd" && ranIn(story).length > 0 && ["promptExit", "logout", "other"].includes(story.subject ?? ""),
    says: "The real CLI never gives this reason: it says exit or clear.",
  },
  {
    id: "FRAMES",
    observed,
    when: (story) => ranIn(story).filter(({ run }) => Object.hasOwn(run.opinion, "context")).length > 1,
    says: "The real CLI puts what several hooks add into one frame, joined by newline.",
  },
  {
    id: "BANNER",
    observed,
    when: (story) =>
      (story.event === "beforeAgent" || story.event === "afterAgent") &&
      action(story) !== "proceed" &&
      ranIn(story).some((ran) => isText(binaryOutput(ran)?.["systemMessage"])),
    says: "In the real CLI the banner of a stop or denial shows the system messages in place of the reason.",
  },
  {
    id: "D10",
    observed,
    when: (story) => story.event === "beforeAgent" && action(story) === "proceed" && hasContext(story),
    says: "In the real CLI the added context stays in the history, beyond this turn.",
  },
  {
    id: "D11",
    observed,
    when: (story) => story.event === "afterAgent" && ranIn(story).length > 0 && fact(story, "retrying") === true,
    says: "In the real CLI prompt_response holds every answer since the user's prompt, rejected ones included.",
  },
  {
    id: "BUG-6",
    observed,
    when: (story) => story.event === "afterAgent" && action(story) === "retry" && fact(story, "retrying") === true,
    says: "The real CLI retries without bound as long as a hook denies.",
  },
  {
    id: "D7",
    observed,
    when: losesArguments,
    says: "In the real CLI the last tool_input replaces all arguments instead of being merged over them.",
  },
  {
    id: "D8",
    observed,
    when: (story) => {
      const [asked, tool] = [fact(story, "asked"), fact(story, "tool")];
      return (
        story.event === "afterTool" && ranIn(story).length > 0 && asked !== undefined && isObject(tool) && !sameJson(asked, tool["input"])
      );
    },
    says: "The real CLI shows the arguments that were executed, not those the model asked for.",
  },
  {
    id: "GAP-3",
    observed,
    when: (story) => story.event === "afterTool" && story.variant === "failed" && action(story) === "proceed" && hasContext(story),
    says: "The real CLI loses context that is added to the result of a failed tool.",
  },
  {
    id: "BUG-15",
    observed,
    when: (story) => story.event === "beforeTool" && action(story) === "stop",
    says: "In the real CLI sibling calls of the same turn still run.",
  },
  {
    id: "BUG-16",
    observed,
    when: asks,
    says: "In the real CLI a confirmed question also overrides a denial by policy.",
  },
  {
    id: "BUG-18",
    observed,
    when: asks,
    says: "The real CLI hangs here where nobody can answer (headless).",
  },
  {
    id: "BUG-40",
    observed,
    when: (story) => story.fired.agent !== undefined && (action(story) === "stop" || isRefusedModel(story)),
    says: "In a sub-agent the real CLI ignores a stop, and denials at the model events.",
  },
  {
    id: "PLN-6",
    observed,
    when: (story) =>
      (story.event === "beforeTool" || story.event === "afterTool") &&
      ranIn(story).some(({ matcher }) => isByAlias(matcher, story.subject)),
    says: "The real CLI matches the name the model used alone: a hook written for the tool's other name does not run.",
  },
  {
    id: "D15",
    observed,
    when: ({ event, entries }) =>
      event === "notification" &&
      entries.some((entry) => entry.dialect === "gemini" && entry.wireName === "Notification" && entry.status === "notMatched"),
    says: "The real CLI ignores matchers of Notification hooks, and runs them all.",
  },
];

const isText = (value: Json | undefined): boolean => typeof value === "string" && value.trim() !== "";
const isRefusedModel = (story: Story): boolean =>
  (story.event === "beforeModel" && action(story) === "block") || (story.event === "afterModel" && action(story) === "discard");

function losesArguments(story: Story): boolean {
  const changes = inBinaryOrder(ranIn(story)).flatMap(({ run }) => (isObject(run.opinion["input"]) ? [run.opinion["input"]["value"]] : []));
  const input = story.fired.outcome["input"];
  return input !== undefined && !sameJson(input, changes.at(-1));
}

/** Present and older names of the tools that have several. */
const NAMES = geminiTools.tools.flatMap(({ name, aliases = [] }) => aliases.flatMap((alias) => [name, alias]));
/** Without repetition a pattern cannot take long, whoever wrote it. */
const WITHOUT_REPETITION = /^[\w|^$().]+$/;
/** The hook ran because its matcher fits another name of the tool than the one that was used. */
function isByAlias(matcher: string | undefined, used: string | undefined): boolean {
  if (matcher === undefined || used === undefined || !NAMES.includes(used)) return false;
  const trimmed = matcher.trim();
  if (!WITHOUT_REPETITION.test(trimmed)) return false;
  try {
    return !new RegExp(trimmed).test(used);
  } catch {
    return false; // it does not compile: as a text it fits no name of a tool
  }
}
