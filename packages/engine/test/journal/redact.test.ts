import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText } from "../../src/journal/clip.ts";
import { createRedactor } from "../../src/journal/redact.ts";

const { redactor } = createRedactor();
const GITHUB = `ghp_${"a1B2".repeat(9)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEA\n".repeat(100)}-----END RSA PRIVATE KEY-----`;

describe("redaction", () => {
  it("hides every known kind of secret and nothing around it", () => {
    const secrets = [
      GITHUB,
      `AIza${"x".repeat(35)}`,
      "AKIAABCDEFGHIJKLMNOP",
      "eyJhbGci.eyJzdWIi.c2lnbmF0",
      `sk_live_${"4".repeat(24)}`,
      "xoxb-1234567890-abc",
      KEY,
    ];
    for (const secret of secrets) expect(redactor.text(`before ${secret} after`)).toBe("before [redacted] after");
    expect(redactor.text("git clone https://me:hunter2@example.com/x")).toBe("git clone [redacted]example.com/x");
  });

  it("leaves ordinary text alone, and a value whose key merely sounds secret", () => {
    const facts = { token: "three", password: "", note: "see https://example.com/a:b", sha: "da39a3ee5e6b4b0d3255bfef95601890afd80709" };
    expect(redactor.json(facts)).toEqual(facts);
  });

  it("reaches strings and keys at any depth, keeps every key, and changes no argument", () => {
    const facts = Object.freeze({ [GITHUB]: 1, [`${GITHUB}b`]: 2, list: Object.freeze([Object.freeze({ x: GITHUB })]) });
    expect(redactor.json(facts)).toEqual({ "[redacted]": 1, "[redacted] (2)": 2, list: [{ x: "[redacted]" }] });
    expect(JSON.stringify(redactor.json(JSON.parse(`{"__proto__": "${GITHUB}"}`)))).toBe('{"__proto__":"[redacted]"}');
  });

  it("takes more patterns, in any case, and tells which cannot be used", () => {
    const { redactor: own, problems } = createRedactor(["acme-[0-9]+", "(", "x*"]);
    expect(own.text(`ACME-42 ${GITHUB}`)).toBe("[redacted] [redacted]");
    expect(problems.map(({ code, place, found }) => [code, place, found?.slice(0, 5)])).toEqual([
      ["SETTINGS_BAD_SHAPE", { path: "journal.redact[1]" }, '"(" ('],
      ["SETTINGS_BAD_SHAPE", { path: "journal.redact[2]" }, '"x*" '],
    ]);
  });

  it("does not let a cut halve a secret", () => {
    for (let shift = 0; shift < KEY.length + 200; shift += 97) {
      const text = `${"x".repeat(65_536 - shift)} ${KEY} ${"y".repeat(300_000)} ${KEY} ${"z".repeat(65_536 - shift)}`;
      const kept = redactor.text(clipText(text, undefined, redactor.cut));
      expect(kept).not.toContain("MIIE");
      expect(kept).not.toContain("AKCAQEA");
      expect(kept).toContain("bytes left out");
    }
  });

  it("is done after one time, whatever the text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        GITHUB,
        "AKIAABCDEFGHIJKLMNOP",
        "-----BEGIN CERTIFICATE-----",
        "-----END CERTIFICATE-----",
        "https://a:b@",
        "[redacted]",
        "eyJaaaa.bbbb.cccc",
        "_",
        "-",
        " ",
      ),
      fc.string({ maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactor.text(pieces.join(""));
        expect(redactor.text(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it("takes time in proportion to the text, also where the text is made to take longer", () => {
    for (const hostile of ["AKIAAAAAAAAAAAAAAAAA", "-----BEGIN CERTIFICATE-----", "https://a:", "ghp_", "[redacted]", "eyJaaaa-"]) {
      const text = hostile.repeat(Math.ceil(131_000 / hostile.length));
      const began = performance.now();
      redactor.text(text);
      // In proportion to its square it would be a minute and more.
      expect([hostile, performance.now() - began < 10_000]).toEqual([hostile, true]);
    }
  });
});
