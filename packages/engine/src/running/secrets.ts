/** Turns text that may hold secrets into an answer (is this one?) or into the same text without them. */

export interface SecretPattern {
  readonly name: string;
  /** Ignores case, has no state between calls, and needs time in proportion to the text. */
  readonly pattern: RegExp;
}

/**
 * What a secret value looks like. A key or certificate block is matched up to its end, or to the end of the text where that was cut off.
 * Source: the study of Gemini CLI, ENV-7.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  { name: "private key", pattern: pem("(?:(?:RSA|OPENSSH|EC|PGP|DSA|ENCRYPTED) )?PRIVATE KEY(?: BLOCK)?") },
  { name: "certificate", pattern: pem("CERTIFICATE") },
  { name: "password in a URL", pattern: /(?:https?|ftp|smtp):\/\/[^\s:@/]+:[^\s@/]+@/i },
  { name: "GitHub token", pattern: /(?<![a-z0-9])(?:gh[opusr]|github_pat)_\w{36,}/i },
  { name: "Google API key", pattern: /(?<![a-z0-9])AIza[\w-]{33,}/i },
  { name: "AWS access key id", pattern: /(?<![a-z0-9])AKIA[a-z0-9]{16}/i },
  // The look-behind lets it begin only where a run of such characters begins: else `-eyJ-eyJ-eyJ...` would take quadratic time.
  { name: "JSON web token", pattern: /(?<![\w-])eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}/i },
  { name: "Stripe key", pattern: /(?<![a-z0-9])[sr]k_(?:live|test)_\w{24,}/i },
  { name: "Slack token", pattern: /(?<![a-z0-9])xox[abpr]-[\w-]{10,}/i },
];

const ANY = new RegExp(SECRET_PATTERNS.map(({ pattern }) => pattern.source).join("|"), "i");
const EVERY = new RegExp(ANY.source, "gi");

/** Does this text hold anything that looks like a secret? */
export function holdsSecret(text: string): boolean {
  return ANY.test(text);
}

/** The text with `[redacted]` in place of everything that looks like a secret. A heuristic: it knows known shapes, not all secrets. */
export function redact(text: string): string {
  return text.replace(EVERY, "[redacted]");
}

function pem(label: string): RegExp {
  return new RegExp(`-----BEGIN ${label}-----[\\s\\S]*?(?:-----END ${label}-----|$)`, "i");
}
