/** Turns the host's environment into the one a hook gets, and the names of the variables that were kept from it. */
import {
  ALWAYS_ALLOWED,
  KEPT_AFTER_SECRETS,
  KEPT_BEFORE_SECRETS,
  NEVER_ALLOWED,
  SENSITIVE_WORDS,
  SHELL_CODE_NAMES,
  SHELL_FUNCTION,
  STRICT_SIGNS,
} from "./environment-rules.ts";
import { holdsSecret } from "./secrets.ts";

export interface EnvironmentPolicy {
  /** Default true: ours sanitises. False hands everything on but shell code, except where strict. */
  readonly enabled: boolean;
  /** Names, in any case, to hand on although a rule below would not. A value that looks like a secret stays behind even so. */
  readonly allowed: readonly string[];
  /** Names, in any case, to keep back. */
  readonly blocked: readonly string[];
  /** Hand on nothing but what is allowed by name. Also switched on by the host's variables GITHUB_SHA and SURFACE. */
  readonly strict: boolean;
}

export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  /** Sorted names of what the host has and the hook does not get. */
  readonly withheld: readonly string[];
}

export interface EnvironmentParts {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** The dialect's own variables: never filtered. */
  readonly own: Readonly<Record<string, string>>;
  /** The handler's `env`: never filtered, and wins over everything. */
  readonly handlerEnv: Readonly<Record<string, string>>;
  readonly policy: EnvironmentPolicy;
  /** Windows compares names without case. */
  readonly platform?: NodeJS.Platform;
}

/**
 * The complete environment of one hook. Looking through the host's variables takes tens of microseconds: for several hooks with one
 * policy call `sanitise` once and `addVariables` for each. Source: the study of Gemini CLI, ENV-1 to ENV-8, and EXE-4.
 */
export function hookEnvironment(parts: EnvironmentParts): Environment {
  const platform = parts.platform ?? process.platform;
  const { env, withheld } = sanitise(parts.parent, parts.policy);
  return { env: addVariables(env, parts.own, parts.handlerEnv, platform), withheld };
}

/** What of the host's environment a hook may see, before anything is added. */
export function sanitise(parent: Readonly<Record<string, string | undefined>>, policy: EnvironmentPolicy): Environment {
  const strict = policy.strict || STRICT_SIGNS.some(({ name, means }) => means(parent[name] ?? ""));
  const rules = {
    active: policy.enabled || strict,
    strict,
    allowed: new Set(policy.allowed.map((name) => name.toUpperCase())),
    blocked: new Set(policy.blocked.map((name) => name.toUpperCase())),
  };
  const env = emptyEnvironment();
  const withheld: string[] = [];
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    if (isHandedOn(name, value, rules)) env[name] = value;
    else withheld.push(name);
  }
  return { env, withheld: withheld.sort() };
}

/**
 * `base` with the dialect's and then the handler's variables, and with SHLVL at least 1: a bash that the hook starts with `-c` at level 0,
 * its input being a socket, would take itself for a remote shell and read ~/.bashrc.
 */
export function addVariables(
  base: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  handlerEnv: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  const env = Object.assign(emptyEnvironment(), base);
  for (const added of [own, handlerEnv]) {
    for (const [name, value] of Object.entries(added)) {
      if (platform === "win32") removeAnyCase(env, name);
      env[name] = value;
    }
  }
  if (platform !== "win32" && !/^[1-9]\d*$/.test(env["SHLVL"] ?? "")) env["SHLVL"] = "1";
  return env;
}

interface Rules {
  readonly active: boolean;
  readonly strict: boolean;
  readonly allowed: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
}

/** The first rule that applies decides; their order is that of ENV-3. */
function isHandedOn(name: string, value: string, rules: Rules): boolean {
  if (SHELL_CODE_NAMES.has(name) || SHELL_FUNCTION.test(name)) return false;
  if (!rules.active) return true;
  const upper = name.toUpperCase();
  if (KEPT_BEFORE_SECRETS.some((prefix) => upper.startsWith(prefix))) return true;
  if (holdsSecret(value)) return false;
  if (KEPT_AFTER_SECRETS.some((prefix) => upper.startsWith(prefix))) return true;
  if (rules.allowed.has(upper)) return true;
  if (rules.blocked.has(upper)) return false;
  if (ALWAYS_ALLOWED.has(upper)) return true;
  if (NEVER_ALLOWED.has(upper) || rules.strict) return false;
  return !SENSITIVE_WORDS.some((word) => upper.includes(word));
}

/** Without a prototype, so that a variable called `__proto__` is a variable. */
function emptyEnvironment(): Record<string, string> {
  return Object.create(null);
}

function removeAnyCase(env: Record<string, string>, name: string): void {
  for (const other of Object.keys(env)) if (other.toUpperCase() === name.toUpperCase()) delete env[other];
}
