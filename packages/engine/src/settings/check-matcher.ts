/** Turns a group's matcher into what can be said of it before anything happens. */
import type { AnyRow, MatcherSyntax } from "../dialects/index.ts";
import type { Barred, ProblemFacts } from "../protocol/index.ts";

export interface MatcherCheck {
  /** What the matching stage shall look at. */
  readonly matcher: string | undefined;
  readonly barred?: Barred;
  readonly finding?:
    | { readonly code: "MATCHER_NOTHING_TO_MATCH"; readonly facts: ProblemFacts["MATCHER_NOTHING_TO_MATCH"] }
    | { readonly code: "MATCHER_BAD_REGEX"; readonly facts: ProblemFacts["MATCHER_BAD_REGEX"] }
    | { readonly code: "MATCHER_MATCHES_NOTHING"; readonly facts: ProblemFacts["MATCHER_MATCHES_NOTHING"] };
}

type Check = (matcher: string, trimmed: string, row: AnyRow, wireName: string) => MatcherCheck;

const CHECKS: { readonly [S in MatcherSyntax]: Check } = {
  nothingToMatch: (matcher, _, _row, event) => ({
    matcher: undefined,
    finding: { code: "MATCHER_NOTHING_TO_MATCH", facts: { matcher, event } },
  }),
  exact: (matcher, trimmed, row) => ({ matcher, ...unknown(matcher, [trimmed], row) }),
  regexElseLiteral: (matcher, trimmed) => {
    const message = regexError(trimmed);
    if (message === undefined) return { matcher };
    const now = "It is compared as plain text.";
    return { matcher, finding: { code: "MATCHER_BAD_REGEX", facts: { matcher, message, now } } };
  },
  namesElseRegex: (matcher, trimmed, row) => {
    if (/^[\w\- |]*$/.test(trimmed)) return { matcher, ...unknown(matcher, trimmed.split("|"), row) };
    const message = regexError(trimmed);
    if (message === undefined) return { matcher };
    return {
      matcher,
      barred: { status: "badMatcher", why: `its matcher "${matcher}" is not a valid regular expression` },
      finding: { code: "MATCHER_BAD_REGEX", facts: { matcher, message, now: "The hook never runs." } },
    };
  },
};

/** Absent, empty, white space and `*` match everything, and nothing is wrong with them. Source: both contracts, "Matching". */
export function checkMatcher(matcher: string | undefined, row: AnyRow, wireName: string): MatcherCheck {
  const trimmed = matcher?.trim() ?? "";
  if (matcher === undefined || trimmed === "" || trimmed === "*") return { matcher: undefined };
  return CHECKS[row.matcher.as](matcher, trimmed, row, wireName);
}

function unknown(matcher: string, names: readonly string[], { matcher: { known, words } }: AnyRow): Pick<MatcherCheck, "finding"> {
  if (known === undefined) return {};
  const all = new Set([...known, ...Object.values(words ?? {}).flat()]);
  if (names.some((name) => all.has(name.trim()))) return {};
  return { finding: { code: "MATCHER_MATCHES_NOTHING", facts: { matcher, known } } };
}

function regexError(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
