import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EnvironmentPolicy, hookEnvironment } from "../../src/running/index.ts";

const byDefault: EnvironmentPolicy = { enabled: true, allowed: [], blocked: [], strict: false };
const github = `ghp_${"a1".repeat(18)}`;

/** What a hook gets of `parent`, and what it does not. SHLVL, which every hook has, left out. */
function handedOn(
  parent: Record<string, string>,
  policy: Partial<EnvironmentPolicy> = {},
): { kept: string[]; withheld: readonly string[] } {
  const { env, withheld } = hookEnvironment({ parent, own: {}, handlerEnv: {}, policy: { ...byDefault, ...policy }, platform: "linux" });
  return { kept: Object.keys(env).filter((name) => name !== "SHLVL" || name in parent), withheld };
}

describe("the environment of a hook", () => {
  it("has what a program needs, and nothing that is named like a secret", () => {
    const parent = {
      PATH: "/bin",
      HOME: "/h",
      LANG: "C",
      EDITOR: "vi",
      GEMINI_API_KEY: "k",
      npm_auth: "x",
      SSH_AUTH_SOCK: "/s",
      NODE_EXTRA_CA_CERTS: "/c",
      DB_URI: "u",
    };
    expect(handedOn(parent)).toEqual({
      kept: ["PATH", "HOME", "LANG", "EDITOR"],
      withheld: ["DB_URI", "GEMINI_API_KEY", "NODE_EXTRA_CA_CERTS", "SSH_AUTH_SOCK", "npm_auth"],
    });
  });

  it.each([
    ["GEMINI_CLI_TOKEN", github, {}, true, "a prefix of the CLI's own beats even a secret value"],
    ["HARMLESS", github, { allowed: ["HARMLESS"] }, false, "a secret value beats the allow list"],
    ["PATH", github, {}, false, "a secret value beats an always-allowed name"],
    ["GIT_CONFIG_KEY_0", "user.name", { blocked: ["GIT_CONFIG_KEY_0"] }, true, "git's configuration beats the block list"],
    ["GIT_CONFIG_VALUE_0", github, {}, false, "but not a secret value"],
    ["my_token", "x", { allowed: ["My_Token"] }, true, "the allow list ignores case and beats a sensitive word"],
    ["BOTH", "x", { allowed: ["BOTH"], blocked: ["BOTH"] }, true, "the allow list beats the block list"],
    ["Path", "x", { blocked: ["PATH"] }, false, "the block list beats an always-allowed name"],
    ["ISSUE_BODY", "x", { strict: true }, true, "always-allowed names stay when strict"],
    ["EDITOR", "x", { strict: true }, false, "everything else goes when strict"],
    ["EDITOR", "x", { strict: true, allowed: ["EDITOR"] }, true, "but for the allow list"],
    ["AWS_DEFAULT_REGION", "x", {}, false, "never-allowed names go"],
    ["AWS_DEFAULT_REGION", "x", { allowed: ["AWS_DEFAULT_REGION"] }, true, "unless allowed"],
    ["ANY_SECRET", github, { enabled: false }, true, "nothing is looked at when switched off"],
  ] as [string, string, Partial<EnvironmentPolicy>, boolean, string][])(
    "decides on %s=%s under %j: %s, because %s",
    (name, value, policy, kept) => {
      expect(handedOn({ [name]: value }, policy)).toEqual({ kept: kept ? [name] : [], withheld: kept ? [] : [name] });
    },
  );

  it.each([{ GITHUB_SHA: "abc" }, { SURFACE: "Github" }])("is strict in a workflow run, even when switched off: %j", (sign) => {
    expect(handedOn({ PATH: "/bin", EDITOR: "vi", ...sign }, { enabled: false }).kept).toEqual(["PATH"]);
  });

  it("has the dialect's and the handler's variables whatever they are called and hold, the handler's last", () => {
    const { env } = hookEnvironment({
      parent: { GEMINI_SESSION_ID: "stale", MODE: "parent" },
      own: { GEMINI_SESSION_ID: "fresh", GEMINI_CWD: "/a" },
      handlerEnv: { MY_TOKEN: github, GEMINI_CWD: "/b", MODE: "handler" },
      policy: { ...byDefault, strict: true },
      platform: "linux",
    });
    expect({ ...env }).toEqual({ GEMINI_SESSION_ID: "fresh", GEMINI_CWD: "/b", MY_TOKEN: github, MODE: "handler", SHLVL: "1" });
  });

  it("takes a variable called __proto__ for a variable", () => {
    const parent: Record<string, string> = JSON.parse('{"__proto__": "p", "constructor": "c"}');
    const { env } = hookEnvironment({
      parent,
      own: {},
      handlerEnv: JSON.parse('{"__proto__": "h"}'),
      policy: byDefault,
      platform: "linux",
    });
    expect(Object.entries(env)).toEqual([
      ["__proto__", "h"],
      ["constructor", "c"],
      ["SHLVL", "1"],
    ]);
  });

  it("on Windows replaces a variable whatever its case", () => {
    const { env } = hookEnvironment({
      parent: { Path: "C:\\a" },
      own: {},
      handlerEnv: { PATH: "C:\\b" },
      policy: byDefault,
      platform: "win32",
    });
    expect({ ...env }).toEqual({ PATH: "C:\\b" });
  });

  it("never holds both a variable and its name among those withheld, and loses none", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), fc.boolean(), fc.boolean(), (parent, enabled, strict) => {
        const { kept, withheld } = handedOn(parent, { enabled, strict });
        expect([...kept, ...withheld].sort()).toEqual(Object.keys(parent).sort());
      }),
    );
  });
});
