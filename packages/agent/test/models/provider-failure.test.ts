/** What a person and the retry loop are told when a provider fails. */

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { failure } from "../../src/models/failure.ts";
import { retryDelay } from "../../src/models/index.ts";
import { all, allStands, ask, failureOf, modelAt, said, secret, serve, stands } from "./against.ts";

describe.each(allStands)("a failing provider that speaks $format", (stand) => {
  it("says which key to check at a 401, without printing it", async () => {
    const { url } = await serve(stand.format, [{ status: 401, body: wrong(stand.format, `Incorrect API key provided: ${secret}.`) }]);
    const error = await failureOf(ask(modelAt(stand, url)));
    expect(error).toMatchObject({ kind: "auth", status: 401, retryable: false });
    expect(error.message).toBe(`${stand.name} answered 401: Incorrect API key provided: [the key]. Check the key in ${stand.key}.`);
    expect(retryDelay(error, 1)).toBeUndefined();
  });

  it("waits as long as a 429 asks for, and then succeeds", async () => {
    const { url } = await serve(stand.format, [{ status: 429, headers: { "retry-after": "2" } }, { text: "ok" }]);
    const model = modelAt(stand, url);
    const error = await failureOf(ask(model));
    expect(error).toMatchObject({ kind: "rateLimit", status: 429, retryAfterMs: 2_000, retryable: true });
    expect(retryDelay(error, 1, { random: () => 0 })).toBe(2_000);
    expect((await all(ask(model))).at(-1)?.finishReason).toBe("STOP");
  });

  it.each([500, 503, 529])("takes a %i for the server's trouble, worth another try", async (status) => {
    const { url, requests } = await serve(stand.format, [{ status, body: "<html>upstream</html>" }]);
    expect(await failureOf(ask(modelAt(stand, url)))).toMatchObject({ kind: "server", status, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it("passes on what was wrong with a request", async () => {
    const { url } = await serve(stand.format, [{ status: 400, body: wrong(stand.format, "The input is too long.") }]);
    const error = await failureOf(ask(modelAt(stand, url)));
    expect(error).toMatchObject({
      kind: "badRequest",
      status: 400,
      retryable: false,
      message: `${stand.name} answered 400: The input is too long`,
    });
  });

  it("names address and variable when nobody listens there", async () => {
    const port = await freePort();
    const error = await failureOf(ask(modelAt(stand, `http://127.0.0.1:${port}`)));
    expect(error).toMatchObject({ kind: "network", status: undefined, retryable: true });
    expect(error.message).toContain(`Cannot reach ${stand.name} at http://127.0.0.1:${port}${stand.version}`);
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).toContain(stand.base);
  });

  it("says so when a stream is no stream", async () => {
    const { url } = await serve(stand.format, [
      { status: 200, headers: { "content-type": "text/event-stream" }, body: "data: {not json\n\n" },
    ]);
    expect(await failureOf(ask(modelAt(stand, url)))).toMatchObject({ name: "ModelError", retryable: true });
  });
});

describe("providers' own ways of failing", () => {
  it("takes Google's invalid key, which comes as a 400, for what it is", async () => {
    const body = {
      error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] },
    };
    const { url } = await serve("gemini", [{ status: 400, body }]);
    expect(await failureOf(ask(modelAt(stands.gemini, url)))).toMatchObject({ kind: "auth", status: 400 });
  });

  it("reads the wait from Google's RetryInfo when there is no header", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3.5s" }];
    const { url } = await serve("gemini", [
      { status: 429, body: { error: { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED", details } } },
    ]);
    expect(await failureOf(ask(modelAt(stands.gemini, url)))).toMatchObject({ kind: "rateLimit", retryAfterMs: 3_500 });
  });

  it("reads the wait in milliseconds, and as a date", async () => {
    const later = new Date(Date.now() + 60_000).toUTCString();
    const { url } = await serve("openai", [
      { status: 429, headers: { "retry-after-ms": "1500", "retry-after": "9" } },
      { status: 503, headers: { "retry-after": later } },
    ]);
    const model = modelAt(stands.openai, url);
    expect((await failureOf(ask(model))).retryAfterMs).toBe(1_500);
    const wait = (await failureOf(ask(model))).retryAfterMs;
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });

  it("does not retry a quota that is spent", async () => {
    const body = { error: { message: "You exceeded your current quota.", type: "insufficient_quota", code: "insufficient_quota" } };
    const { url } = await serve("openai", [{ status: 429, body }]);
    expect(await failureOf(ask(modelAt(stands.openai, url)))).toMatchObject({ kind: "rateLimit", retryable: false });
  });

  it("takes an error inside Anthropic's stream for the overload it is", async () => {
    const body = `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })}\n\n`;
    const { url } = await serve("anthropic", [{ status: 200, headers: { "content-type": "text/event-stream" }, body }]);
    expect(await failureOf(ask(modelAt(stands.anthropic, url)))).toMatchObject({ kind: "server", retryable: true });
  });

  it("says of a certificate that nobody trusts how to trust it", () => {
    const error = Object.assign(new TypeError("fetch failed"), { cause: new Error("self-signed certificate") });
    const to = { who: "openai/x", baseUrl: "https://127.0.0.1/v1", keyVariable: "OPENAI_API_KEY", baseVariable: "OPENAI_BASE_URL" };
    expect(failure(error, { ...to, key: undefined, began: false }, new AbortController().signal)).toMatchObject({
      kind: "network",
      message:
        "Cannot reach openai/x at https://127.0.0.1/v1: self-signed certificate. Where an authority of your own signs certificates, NODE_EXTRA_CA_CERTS names its file.",
    });
  });

  it("is not misled by what the prompt says", async () => {
    const messages = [said('explain insufficient_quota, API_KEY_INVALID and {"retryDelay": "9s"}')];
    const error = await failureOf(ask(modelAt(stands.openai, `http://127.0.0.1:${await freePort()}`), { messages }));
    expect(error).toMatchObject({ kind: "network", retryable: true, retryAfterMs: undefined });
  });

  it("names the model at a 404", async () => {
    const { url } = await serve("openai", [{ status: 404, body: wrong("openai", "The model does not exist.") }]);
    const { message } = await failureOf(ask(modelAt(stands.openai, url)));
    expect(message).toBe(
      `openai/gpt-5.2 answered 404: The model does not exist. Check the model's name and OPENAI_BASE_URL (now ${url}/v1).`,
    );
  });

  it("hands on a call whose arguments are no object, with what is wrong with them", async () => {
    const written = (args: string) => {
      const tool = { tool_calls: [{ index: 0, id: "c", function: { name: "read_file", arguments: args } }] };
      const chunks = [
        { id: "1", choices: [{ index: 0, delta: tool }] },
        { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
      ];
      return chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");
    };
    const bodies = ["[1", "[1]", '{"file_path": "a'].map(written);
    const { url } = await serve(
      "openai",
      bodies.map((body) => ({ status: 200, headers: { "content-type": "text/event-stream" }, body })),
    );
    for (const found of ["[1\n", "[1]\n", '{"file_path": "a\n']) {
      const [call] = (await all(ask(modelAt(stands.openai, url)))).flatMap(({ parts }) => parts);
      expect(call).toMatchObject({ type: "call", id: "c", name: "read_file", input: {} });
      expect(call).toHaveProperty("problem", expect.stringContaining(`: ${found}`));
      expect(call).toHaveProperty("problem", expect.stringContaining("The arguments are not a JSON object"));
    }
  });

  it("does not ask again for a web page, which is nobody's answer", async () => {
    for (const stand of allStands) {
      const { url } = await serve(stand.format, [
        { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>Please log in</html>" },
      ]);
      const error = await failureOf(ask(modelAt(stand, url)));
      expect(error).toMatchObject({ kind: "badRequest", retryable: false });
      expect(error.message).toBe(
        `${stand.name}: it sent a web page (text/html; charset=utf-8) in place of an answer. Check ${stand.base} (now ${url}${stand.version}) and the proxy variables.`,
      );
    }
  });

  it.each([
    [{ error: "model 'x' not found, try pulling it first" }, "model 'x' not found, try pulling it first"],
    [{ detail: "No such deployment" }, "No such deployment"],
    ["upstream connect error", "upstream connect error"],
    ["<html>Bad Gateway</html>", "Bad Request"],
  ])("passes on what a gateway says in a form of its own: %j", async (body, said) => {
    for (const stand of allStands) {
      const { url } = await serve(stand.format, [{ status: 400, body }]);
      expect((await failureOf(ask(modelAt(stand, url)))).message).toBe(`${stand.name} answered 400: ${said}`);
    }
  });

  it("says of an answer that breaks off that it did, not that nobody can be reached", async () => {
    for (const stand of allStands) {
      const { url } = await serve(stand.format, [{ text: "Half", then: "cut" }]);
      const error = await failureOf(ask(modelAt(stand, url)));
      expect(error).toMatchObject({ kind: "network", retryable: true });
      expect(error.message).toContain(`${stand.name}: the answer broke off before it was finished`);
    }
  });
});

function wrong(format: string, message: string): object {
  const error = { code: 400, type: "invalid_request_error", message, status: "INVALID_ARGUMENT" };
  return format === "anthropic" ? { type: "error", error } : { error };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
