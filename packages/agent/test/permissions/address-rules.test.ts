/** Rules on web addresses: by host, by address, and where a host keeps the addresses in a prompt. */
import { describe, expect, it } from "vitest";
import { decide, type PolicyCall, qoderRuleSyntax, type Rule, readRules } from "../../src/permissions/index.ts";
import { fetchPage, qoderWords } from "./call.ts";

const rules = (effect: Rule["effect"], text: string): readonly Rule[] =>
  readRules({ permissions: { [effect]: [text] } }, { file: "f", scope: "user", syntax: qoderRuleSyntax, words: qoderWords }).rules;
const answer = (call: PolicyCall, mode: "default" | "yolo", given: readonly Rule[]) =>
  decide({ call, mode, rules: given, interactive: true }).answer;

it.each<[text: string, main: string, allowed: boolean, denied: boolean]>([
  ["WebFetch(domain:example.com)", "https://example.com/a", true, true],
  ["WebFetch(domain:example.com)", "https://example.com", true, true],
  ["WebFetch(domain:example.com)", "HTTPS://EXAMPLE.COM/a", true, true],
  ["WebFetch(domain:Example.com)", "https://example.com:8443/a", true, true],
  ["WebFetch(domain:example.com)", "https://evil.org/example.com", false, false],
  ["WebFetch(domain:example.com)", "https://example.com.evil.org/", false, false],
  ["WebFetch(domain:example.com)", "https://example.com@evil.org/", false, false],
  ["WebFetch(domain:example.com)", "https://notexample.com/", false, false],
  // A guard reads a host generously, a permission strictly.
  ["WebFetch(domain:example.com)", "https://api.example.com/", false, true],
  ["WebFetch(domain:example.com)", "https://example.com./", false, true],
  ["WebFetch(domain:*.example.com)", "https://api.example.com/", true, true],
  ["WebFetch(domain:*.example.com)", "https://evil.org/.example.com", false, false],
  ["WebFetch(domain:*)", "https://anything.org/", true, true],
  ["WebFetch(https://example.com/*)", "https://example.com/a", true, true],
  ["WebFetch(https://example.com/*)", "HTTPS://Example.COM/a", true, true],
  ["WebFetch(https://example.com/*)", "https://example.com:443/a", true, true],
  ["WebFetch(https://example.com/*)", "https://user@example.com/a", true, true],
  ["WebFetch(https://example.com/*)", "https://ex%61mple.com/a", true, true],
  ["WebFetch(https://*.example.com/*)", "https://evil.org/x.example.com/y", false, false],
  ["WebFetch(https://example.com*)", "https://example.com.evil.org/", false, true],
  ["WebFetch(https://example.com*)", "https://example.com/a", true, true],
  ["WebFetch(https://example.com/docs:*)", "https://example.com/docs/a", true, true],
  ["WebFetch(https://example.com/docs:*)", "https://example.com/docsx", false, false],
  ["WebFetch(https://example.com/docs:*)", "https://example.com/docs/../admin", false, false],
  // A host of the other product keeps the addresses in a prompt.
  ["WebFetch(domain:example.com)", "Read https://example.com/a, please.", true, true],
  ["WebFetch(domain:example.com)", "Read https://example.com/a and https://evil.org.", false, true],
  ["WebFetch(https://example.com/a)", "Read https://example.com/a.", true, true],
  ["WebFetch(https://example.com/*)", "Read (HTTPS://example.com/a)", true, true],
])("%s on %j: allow %s, deny %s", (text, main, allowed, denied) => {
  const call = fetchPage(main);
  expect(answer(call, "default", rules("allow", text))).toBe(allowed ? "allow" : "ask");
  expect(answer(call, "yolo", rules("deny", text))).toBe(denied ? "deny" : "allow");
});

describe("brackets in a rule's argument", () => {
  it.each(['Bash(python -c "print\\(1\\)")', 'Bash(python -c "print(1)")'])("may be escaped: %s", (text) => {
    const command = 'python -c "print(1)"';
    const call: PolicyCall = { name: "Bash", kind: "shell", effect: "execute", input: { command }, main: command };
    expect(answer(call, "default", rules("allow", text))).toBe("allow");
    expect(answer(call, "yolo", rules("deny", text))).toBe("deny");
  });
});
