/** The door of the permissions room: reading rules, deciding a call, and answers that last. */
export { namesTool } from "./covers.ts";
export { type DecideInput, decide } from "./decide.ts";
export { type Grant, type GrantChoice, grantChoices } from "./grant-choices.ts";
export { type GrantProblem, type Grants, openGrants } from "./grants.ts";
export { isLoose, MODE_WORDS, neverAsks, parseMode } from "./modes.ts";
export type { ArgumentTest, Decision, Mode, PolicyCall, Rule, RuleSource } from "./policy.ts";
export { flagRules, type ReadRules, type RuleFile, type RuleProblem, readOnlyThese, readRules, trustRules } from "./read-rules.ts";
export { geminiRuleSyntax, qoderRuleSyntax, type RuleSyntax, readEntry } from "./rule-syntax.ts";
