/** Turns the policy's decision and what the hooks said into the decision that counts. */
import type { Decision } from "./policy.ts";

/** What hooks said together: the strongest of them. `allow` only from a dialect whose allow skips the question. `by` names the hook. */
export interface HookSay {
  readonly ruling: "allow" | "ask" | "deny";
  readonly reason?: string;
  readonly by?: string;
}

/**
 * A hook's deny always wins. Its ask forces the question, and is a denial where nobody can be asked, but loosens no denial. Its allow skips
 * the question, also where it could not be put to anybody, and never lifts a deny rule or what the mode forbids.
 * Source: gemini.md and qoder-cn.md, Events, BeforeTool and PreToolUse.
 */
export function combine(policy: Decision, hook?: HookSay): Decision {
  if (!hook) return policy;
  const who = hook.by === undefined ? "a hook" : `the hook ${hook.by}`;
  const because = hook.reason ?? sentence(hook.ruling, who);
  switch (hook.ruling) {
    case "deny":
      return { answer: "deny", because, canAsk: policy.canAsk };
    case "ask":
      if (policy.answer === "deny") return policy;
      if (policy.canAsk) return { ...policy, answer: "ask", because };
      return { ...policy, answer: "deny", because: `${because} Nobody can be asked here, so it is denied.`, wouldAsk: true };
    case "allow":
      return policy.answer === "ask" || policy.wouldAsk ? { answer: "allow", because, canAsk: policy.canAsk } : policy;
  }
}

const sentence = (ruling: HookSay["ruling"], who: string): string =>
  ({ allow: `Allowed by ${who}.`, ask: `A yes is wanted by ${who}.`, deny: `Denied by ${who}.` })[ruling];
