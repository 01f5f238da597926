/** Where the real Qoder CN CLI departs from its own documents and from this contract, as conditions over a firing's record. Source: the study of the binary. */
import type { Story } from "../protocol/index.ts";
import type { Divergence } from "./dialect.ts";
import { binaryRank, groupOf, isRefusedByBinary, ownIn, type Ran, ranIn } from "./qoder-cn-binary.ts";

const observed = "0.2.2 to 1.1.52";
const newest = "1.1.52";
/** Seen by others, with a login, and not repeated by us. */
const told = "1.1.45 to 1.1.64, by third parties";
const some = (story: Story, test: (ran: Ran) => boolean): boolean => ranIn(story).some(test);

/** What no record can show is listed in docs/divergences-not-in-records.md. */
export const qoderCnDivergences: readonly Divergence[] = [
  {
    id: "PROJECT-VARIABLE",
    observed,
    when: (story) => some(story, ({ command }) => /\bQODERCN_PROJECT_DIR\b/.test(command ?? "")),
    says: "The real CLI never sets QODERCN_PROJECT_DIR, which its page documents: QODER_PROJECT_DIR holds the project there.",
  },
  {
    id: "ENVIRONMENT",
    observed,
    when: (story) => some(story, ({ run }) => (run.withheldVariables ?? []).length > 0),
    says: "The real CLI hands its whole environment to hooks.",
  },
  {
    id: "SESSION-END",
    observed,
    when: (story) => story.event === "sessionEnd" && some(story, ({ run }) => run.ended === "left"),
    says: "The real CLI waits for SessionEnd hooks and ends them after 1.5 seconds, or after the longest timeout that one of them sets (60 seconds at most).",
  },
  {
    id: "SIGNAL",
    observed: newest,
    when: (story) => some(story, ({ run }) => run.ended === "signalled"),
    says: "The real CLI records death by a signal as success with exit code 0.",
  },
  {
    id: "WHOLE-OUTPUT",
    observed: newest,
    when: (story) => some(story, ({ run }) => run.output !== undefined && isRefusedByBinary(run.output)),
    says: "The real CLI throws this whole output away, a valid block included: a field has the wrong type, or hookSpecificOutput does not name its event.",
  },
  {
    id: "WHOLE-GROUP",
    observed: newest,
    when: losesGroup,
    says: "The real CLI drops the whole group of a handler with a value of the wrong type, the hooks beside it included.",
  },
  {
    id: "ORDER",
    observed: newest,
    when: (story) => isReordered(ranIn(story)),
    says: "The real CLI takes project hooks before local ones.",
  },
  {
    id: "COPIES",
    observed: newest,
    when: picksOtherCopy,
    says: "Of two copies of one hook the real CLI runs the project's, with its timeout and its environment.",
  },
  {
    id: "SEQUENTIAL",
    observed: newest,
    when: (story) => {
      const ran = ranIn(story);
      return ran.some(({ sequential }) => sequential) && new Set(ran.map(groupOf)).size > 1;
    },
    says: "In the real CLI one sequential group makes every hook of the firing run one after another.",
  },
  {
    id: "LAST-ANSWER",
    observed: told,
    when: (story) => {
      const changed = ranIn(story).filter(({ run }) => Object.hasOwn(run.opinion, "input"));
      const runs = story.fired.outcome["action"] === "proceed" || story.fired.outcome["action"] === "grant";
      return runs && changed.length > 1 && changed.some(({ sequential }) => !sequential);
    },
    says: "In the real CLI the updatedInput of the hook that answers last wins, whatever the order of configuration.",
  },
  {
    id: "PERMISSION-PROMPT",
    observed: told,
    when: (story) => story.event === "notification" && story.subject === "permission" && ranIn(story).length > 0,
    says: 'Newer versions of the real CLI call this notification_type "permission_prompt".',
  },
  {
    id: "MODEL",
    observed: newest,
    when: (story) => story.event === "sessionStart" && story.fired.facts?.["model"] !== undefined && ranIn(story).length > 0,
    says: "The real CLI was never seen to send `model` at SessionStart.",
  },
  {
    id: "NAMES-OFF",
    observed: newest,
    when: (story) => ownIn(story).some(({ status, why }) => status === "disabled" && why?.startsWith("hooksConfig.disabled ") === true),
    says: "The real CLI does not look at hooksConfig.disabled: the hook runs there.",
  },
  {
    id: "TYPES",
    observed,
    when: (story) => ownIn(story).some(({ status, why }) => status === "unsupported" && /"(?:http|prompt|agent)"/.test(why ?? "")),
    says: "The real CLI runs hooks of the types http, prompt and agent as well.",
  },
  {
    id: "UNTRUSTED",
    observed: newest,
    when: (story) => ownIn(story).some(({ status }) => status === "untrusted") && ranIn(story).length > 0,
    says: "In an untrusted folder the real CLI refuses the user's hooks too; with -p it asks nobody and runs all.",
  },
  {
    id: "UNAPPROVED",
    observed: newest,
    when: (story) => ownIn(story).some(({ status }) => status === "unapproved"),
    says: "The real CLI knows no approval of single hooks: it runs every hook of a trusted folder.",
  },
];

/** A hook ran whose group holds one with a value of the wrong type. A missing command or type costs the handler alone there, too. */
function losesGroup(story: Story): boolean {
  const lost = ownIn(story).filter(
    ({ status, why }) => status === "broken" && /^its (?!command\b|type\b|condition\b|group)/.test(why ?? ""),
  );
  return lost.some((entry) => ranIn(story).some((ran) => groupOf(ran) === groupOf(entry)));
}

/** Slots in which it matters who comes first. */
const ORDERED = ["ruling", "message", "context", "input", "result"] as const;
function isReordered(ran: readonly Ran[]): boolean {
  const spokeOf = ({ run }: Ran) => ORDERED.filter((slot) => Object.hasOwn(run.opinion, slot));
  return ran.some((later, i) =>
    ran
      .slice(0, i)
      .some((earlier) => binaryRank(earlier) > binaryRank(later) && spokeOf(later).some((slot) => spokeOf(earlier).includes(slot))),
  );
}

/** The copy that ran comes later in the binary's order than one that was left out for it. */
function picksOtherCopy(story: Story): boolean {
  return ownIn(story).some(
    (copy) =>
      copy.status === "duplicate" &&
      ranIn(story).some((ran) => copy.why?.includes(`configured at ${ran.id},`) === true && binaryRank(copy) < binaryRank(ran)),
  );
}
