import { describe, expect, it } from "vitest";
import { redact } from "../../src/running/index.ts";
import { holdsSecret } from "../../src/running/secrets.ts";

// Put together here, so that no scanner takes this file for a leak.
const SAMPLES: readonly (readonly [string, string])[] = [
  ["an RSA key", ["-----BEGIN RSA ", "PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"].join("")],
  ["a PKCS 8 key", ["-----BEGIN ", "PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"].join("")],
  ["a PGP key", ["-----BEGIN PGP ", "PRIVATE KEY BLOCK-----\nMIIE\n-----END PGP PRIVATE KEY BLOCK-----"].join("")],
  ["a certificate", ["-----BEGIN ", "CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"].join("")],
  ["a GitHub token", `ghs_${"x".repeat(36)}`],
  ["a fine-grained GitHub token", `github_pat_${"x".repeat(40)}`],
  ["a Google key", `AIza${"x-_".repeat(11)}`],
  ["an AWS key id", `AKIA${"A1".repeat(8)}`],
  ["a JSON web token", ["eyJhbGciOi", "eyJzdWIiOi", "c2lnbmF0dXJl"].join(".")],
  ["a Stripe key", `rk_live_${"x".repeat(24)}`],
  ["a Slack token", `xoxb-${"1".repeat(12)}`],
];

describe("redaction", () => {
  it.each(SAMPLES)("takes %s out, in capitals too, and leaves what is around it", (_what, secret) => {
    expect(redact(`before ${secret}, after ${secret} end`)).toBe("before [redacted], after [redacted] end");
    expect(holdsSecret(secret.toUpperCase())).toBe(true);
  });

  it.each(["http", "https", "ftp", "smtp"])("takes user and password out of a %s address", (scheme) => {
    expect(redact(`see ${scheme}://me:pa:ss@host/x`)).toBe("see [redacted]host/x");
  });

  it("takes out the rest of the text after a key block that was cut off", () => {
    expect(redact(["a -----BEGIN ", "PRIVATE KEY-----\nMIIE\nMIIE"].join(""))).toBe("a [redacted]");
  });

  it.each(["https://host:8080/a@b", "ghp_short", "AKIA", "eyJ", "a sk_live_ b", "-----BEGIN PUBLIC KEY-----", ""])(
    "leaves %j alone",
    (text) => {
      expect(redact(text)).toBe(text);
      expect(holdsSecret(text)).toBe(false);
    },
  );

  it.each(["-eyJ", "http://a:", "gh", "AIza-", "-----BEGIN ", "ghp_"])(
    "takes time in proportion to the text, also for one made of %j",
    (piece) => {
      const text = piece.repeat(Math.ceil(300_000 / piece.length));
      const before = performance.now();
      redact(text);
      expect(performance.now() - before).toBeLessThan(2_000);
    },
  );
});
