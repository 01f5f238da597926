/** Divergences in how the binary picks, orders, starts and reads hooks, whatever the event. */
import { isObject, type Story } from "../protocol/index.ts";
import type { Divergence } from "./dialect.ts";
import { binaryJson, binaryOutput, binaryRank, binaryText, type Ran, ranIn } from "./gemini-binary.ts";
import { isQuotedTwice } from "./gemini-quoting.ts";

const observed = "0.56 to 0.61";
/** Events at which the binary lets a hook deny. Source: the study, appendix B. */
const DENIABLE: readonly Story["event"][] = ["beforeAgent", "afterAgent", "beforeModel", "afterModel", "beforeTool", "afterTool"];
const canDeny = (story: Story): boolean => DENIABLE.includes(story.event);
const some = (story: Story, test: (ran: Ran) => boolean): boolean => ranIn(story).some(test);
const blank = (text: string | undefined): boolean => (text ?? "").trim() === "";

export const runDivergences: readonly Divergence[] = [
  {
    id: "D1",
    observed,
    when: (story) => isReordered(ranIn(story)),
    says: "The real CLI runs and merges in the order system defaults, user, project, system, extensions.",
  },
  {
    id: "D2",
    observed,
    when: (story) =>
      canDeny(story) && some(story, (ran) => ran.run.ended === "exited" && !isOneOf(ran, 0, 1, 2) && binaryText(ran) !== undefined),
    says: "The real CLI denies at every exit code but 0 and 1 if the hook printed any text.",
  },
  {
    id: "D2-JSON",
    observed,
    when: (story) => some(story, (ran) => ran.run.ended === "exited" && !isOneOf(ran, 0) && binaryJson(ran) !== undefined),
    says: "The real CLI takes a JSON object as the output whatever the exit code: exit 2 does not block then unless the JSON does.",
  },
  {
    id: "D2-SILENT",
    observed,
    when: (story) =>
      canDeny(story) && some(story, (ran) => isOneOf(ran, 2) && blank(ran.run.stdout) && blank(ran.run.stderr) && isTold(ran)),
    says: "The real CLI does not block at exit 2 if the hook printed nothing.",
  },
  {
    id: "D2-STDOUT",
    observed,
    when: (story) =>
      canDeny(story) &&
      some(
        story,
        (ran) => isOneOf(ran, 2) && !blank(ran.run.stdout) && binaryText(ran) !== undefined && binaryText(ran) !== ran.run.stderr?.trim(),
      ),
    says: "The real CLI gives stdout as the reason at exit 2 where the hook printed on it.",
  },
  {
    id: "D3",
    observed,
    when: (story) =>
      some(
        story,
        (ran) =>
          blank(ran.run.stdout) &&
          !blank(ran.run.stderr) &&
          ran.run.ended === "exited" &&
          (isOneOf(ran, 0) || binaryJson(ran) !== undefined),
      ),
    says: "The real CLI reads stderr as the output where stdout is empty: plain logging is shown to the user, JSON counts.",
  },
  {
    id: "BUG-35",
    observed,
    when: (story) => some(story, (ran) => ran.run.ended === "signalled" && binaryOutput(ran) !== undefined),
    says: "The real CLI takes death by a signal for exit 0: what the hook had printed counts.",
  },
  {
    id: "BUG-25",
    observed,
    when: (story) => some(story, ({ run }) => run.ended === "timedOut"),
    says: "The real CLI sends TERM to the shell alone and never KILL: a hook that ignores it, or whose children hold its output, keeps the agent waiting.",
  },
  {
    id: "BUG-23",
    observed,
    when: (story) => some(story, ({ run }) => run.stdoutBytes > 65_536 && /[^\x00-\x7f]/.test(run.stdout ?? "")),
    says: "The real CLI decodes each piece of a long output by itself: characters at the seams are damaged.",
  },
  {
    id: "BUG-17",
    observed,
    when: (story) => some(story, ({ command }) => isQuotedTwice(command ?? "", story.projectDir, story.fired.cwd)),
    says: "The real CLI pastes its own variables into the command with quotes around them, also where the command has quotes already: this path breaks.",
  },
  {
    id: "STAGE-B",
    observed,
    when: (story) => some(story, ({ command }) => LONGER_NAME.test(command ?? "")),
    says: "The real CLI fills in its own variables also where a longer name begins like one: $GEMINI_CWDX is $GEMINI_CWD and an X.",
  },
  {
    id: "EXE-3",
    observed,
    when: (story) => some(story, ({ run }) => run.problems.some(({ code }) => code === "CWD_GONE")),
    says: "The real CLI cannot start a hook where the event's directory is gone, and goes on without it.",
  },
  {
    id: "WEAK-10",
    observed,
    when: (story) => some(story, ({ run }) => run.truncated.includes("stdout")),
    says: "The real CLI has no limit on what a hook prints, and reads all of it.",
  },
  {
    id: "BUG-24",
    observed,
    when: ({ entries }) =>
      entries.some((entry) => entry.dialect === "gemini" && entry.status === "unsupported" && entry.why?.includes('"plugin"') === true),
    says: 'The real CLI runs the command of a hook of type "plugin".',
  },
  {
    id: "D16",
    observed,
    when: (story) => {
      const ran = ranIn(story);
      return ran.some(({ sequential }) => sequential) && new Set(ran.map(groupOf)).size > 1;
    },
    says: "In the real CLI one sequential group makes every hook of the firing run one after another.",
  },
  {
    id: "D17",
    observed,
    when: ({ fired }) => fired.quiet,
    says: "In the real CLI suppressOutput hides one console line; input and output still go to logs and telemetry.",
  },
  {
    id: "D20",
    observed,
    when: ({ entries }) => entries.some((entry) => entry.dialect === "gemini" && /^hooks\.(disabled|enabled)\b/.test(entry.why ?? "")),
    says: "The real CLI does not look at hooks.disabled or hooks.enabled: only hooksConfig counts there.",
  },
  {
    id: "D21",
    observed,
    when: (story) => some(story, ({ run }) => (run.withheldVariables ?? []).length > 0),
    says: "The real CLI hands its whole environment to hooks unless security.environmentVariableRedaction is switched on.",
  },
  {
    id: "D23",
    observed,
    when: ({ entries }) => entries.some((entry) => entry.dialect === "gemini" && entry.status === "unapproved"),
    says: "The real CLI warns of a new or changed project hook once, trusts it at once, and runs it.",
  },
  {
    id: "CFG-11",
    observed,
    when: (story) =>
      story.entries.some((entry) => entry.dialect === "gemini" && entry.status === "untrusted") &&
      some(story, ({ scope }) => scope === "user" || scope === "system" || scope === "systemDefaults"),
    says: "In an untrusted folder the real CLI runs no hook of any settings file, not even the user's own.",
  },
  {
    id: "PLN-7",
    observed,
    when: (story) => story.entries.some((entry) => entry.status === "duplicate" && isBinarysCopy(entry, story)),
    says: "Of two copies of one hook the real CLI runs the other one, with its timeout and its environment.",
  },
  {
    id: "D26",
    observed,
    when: (story) => canDeny(story) && some(story, withoutReason),
    says: 'The real CLI gives "No reason provided" as the reason.',
  },
  {
    id: "REASONS",
    observed,
    when: (story) =>
      (story.event === "beforeTool" || story.event === "afterTool" || story.event === "beforeAgent" || story.event === "afterAgent") &&
      story.fired.verdict.ruling?.kind === "deny" &&
      some(story, (ran) => !story.fired.verdict.because.includes(ran.id) && hasReason(binaryOutput(ran)?.["reason"])),
    says: "The real CLI joins the reasons of all hooks, those that allowed included.",
  },
];

const LONGER_NAME = /\$(?:GEMINI_(?:PROJECT_DIR|CWD|PLANS_DIR|SESSION_ID)|CLAUDE_PROJECT_DIR)\w/;
const isOneOf = ({ run }: Ran, ...codes: readonly number[]): boolean => run.ended === "exited" && codes.includes(run.exitCode ?? -1);
/** A quiet firing's record holds no output: nothing can be said of it. */
const isTold = ({ run }: Ran): boolean => run.stdout !== undefined;
const hasReason = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** Slots in which it matters who comes first. */
const ORDERED = ["ruling", "message", "context", "input", "request", "response", "tailCall"] as const;
/** Two hooks whose layers the binary has the other way round, and that spoke of the same thing. */
function isReordered(ran: readonly Ran[]): boolean {
  const spokeOf = ({ run }: Ran) => ORDERED.filter((slot) => Object.hasOwn(run.opinion, slot));
  return ran.some((later, i) =>
    ran
      .slice(0, i)
      .some((earlier) => binaryRank(earlier) > binaryRank(later) && spokeOf(later).some((slot) => spokeOf(earlier).includes(slot))),
  );
}

/** Group and file of an entry; an entry without a place is a group of its own. */
const groupOf = ({ id, place }: Ran): string => (place ? `${place.file}\0${place.jsonPath.replace(/\.hooks\[\d+\]$/, "")}` : id);

/** Would the binary have run this copy rather than the one that ran? */
function isBinarysCopy(duplicate: Story["entries"][number], { entries }: Story): boolean {
  const ran = entries.find((entry) => entry.run && entry.name === duplicate.name && entry.command === duplicate.command);
  return ran !== undefined && binaryRank(duplicate) < binaryRank(ran);
}

/** Its own JSON denied or stopped, and neither text was given. */
function withoutReason({ run }: Ran): boolean {
  const ruling = run.opinion["ruling"];
  const kind = isObject(ruling) ? ruling["kind"] : undefined;
  if (run.readAs !== "object" || !run.output || (kind !== "deny" && kind !== "endTurn" && kind !== "endSession")) return false;
  return !hasReason(run.output["reason"]) && !hasReason(run.output["stopReason"]);
}
