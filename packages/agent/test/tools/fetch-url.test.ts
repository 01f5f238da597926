import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/tools/public-address.ts";
import { place, run, tool } from "./place.ts";
import { proxyTo, webServer } from "./web-server.ts";

const near = { allowPrivateAddresses: true };

describe("fetching a page", () => {
  it("gives HTML as Markdown, without scripts, in the frame for text from outside", async () => {
    const at = await webServer((_request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        "<html><head><style>x{}</style></head><body><h1>Tïtle</h1><script>evil()</script><p>See <a href='/b'>this</a>.</p></body></html>",
      );
    });
    const { ctx } = place({ limits: near });
    expect(await run("fetchUrl", { prompt: `What does ${at}/a say?` }, ctx)).toEqual({
      content: `From ${at}/a:\n<untrusted_context>\n# Tïtle\n\nSee [this](/b).\n</untrusted_context>`,
      display: `Fetched 1 of 1: ${at}/a`,
    });
  });

  it("gives plain text in the character set that it names", async () => {
    const at = await webServer((_request, response) => {
      response.setHeader("content-type", "text/plain; charset=iso-8859-1");
      response.end(Buffer.from("grüße", "latin1"));
    });
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: "Read it.", url: at }, ctx)).content).toContain("\ngrüße\n");
  });

  it("takes each URL of the prompt once, without the marks of the sentence around it, and none beside an explicit one", async () => {
    const { ctx } = place();
    const urls = async (input: { readonly prompt: string; readonly url?: string }): Promise<unknown> =>
      tool("fetchUrl").confirmation(input, ctx);
    expect(await urls({ prompt: "Compare (https://a.example/x_(y)), https://b.example/?q=1. and https://a.example/x_(y)!" })).toEqual({
      type: "info",
      title: "Confirm Web Fetch",
      prompt: expect.any(String),
      urls: ["https://a.example/x_(y)", "https://b.example/?q=1"],
    });
    expect(await urls({ prompt: "https://a.example", url: "https://b.example" })).toMatchObject({ urls: ["https://b.example"] });
  });

  it("gives what could be fetched and the reasons for the rest", async () => {
    const at = await webServer((request, response) => {
      response.statusCode = request.url === "/good" ? 200 : 404;
      response.end("text");
    });
    const { ctx } = place({ limits: near });
    const output = await run("fetchUrl", { prompt: `${at}/good ${at}/bad` }, ctx);
    expect(output).toMatchObject({
      display: expect.stringContaining("Fetched 1 of 2"),
      content: expect.stringContaining(`${at}/bad: the server answered with HTTP status 404`),
    });
    expect((await run("fetchUrl", { prompt: `${at}/bad` }, ctx)).error?.type).toBe("web_fetch_processing_error");
  });

  it("gives a picture as a picture, and names other binary data without showing it", async () => {
    const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
    const at = await webServer((request, response) => {
      response.setHeader("content-type", "application/octet-stream");
      response.end(request.url === "/png" ? png : Buffer.from([1, 0, 2]));
    });
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: `${at}/png` }, ctx)).content).toEqual([
      { text: `From ${at}/png:` },
      { inlineData: { mimeType: "image/png", data: png.toString("base64") } },
    ]);
    expect((await run("fetchUrl", { prompt: `${at}/x` }, ctx)).content).toContain("3 bytes of application/octet-stream, not shown");
  });

  it("reads no more than its limit, however small the page was on the way", async () => {
    const at = await webServer((_request, response) => {
      response.setHeader("content-type", "text/plain");
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync("x".repeat(5_000_000)));
    });
    const { ctx } = place({ limits: { ...near, maxFetchBytes: 1_000 } });
    const content = String((await run("fetchUrl", { prompt: at }, ctx)).content);
    expect(content).toContain("x\n[only the first 1000 bytes of the page were read]");
    expect(content.length).toBeLessThan(1_200);
  });

  it("cuts a page at the limit of text and says so", async () => {
    const at = await webServer((_request, response) => response.end("y".repeat(500)));
    const { ctx } = place({ limits: { ...near, maxTextBytes: 50 } });
    expect((await run("fetchUrl", { prompt: at }, ctx)).content).toContain(`\n${"y".repeat(50)}\n[cut at 50 bytes]`);
  });

  it("gives the bare text, in bounded time, of a page that would keep the converter busy for minutes", async () => {
    const before = performance.now();
    const at = await webServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`${"<div>".repeat(60_000)}deep<SCRIPT>no()</SCRIPT> end<script>no(`);
    });
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: at }, ctx)).content).toContain("\ndeep end\n");
    expect(performance.now() - before).toBeLessThan(8_000);
  });

  it("ends at its time limit, also in the middle of a page", async () => {
    const at = await webServer((_request, response) => void response.write("begun"));
    const { ctx } = place({ limits: { ...near, fetchTimeoutMs: 200 } });
    const before = performance.now();
    expect((await run("fetchUrl", { prompt: at }, ctx)).error?.message).toContain("no complete answer within 200 ms");
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it("is cancelled by the signal", async () => {
    const stop = new AbortController();
    const at = await webServer(() => stop.abort());
    const { ctx } = place({ limits: near, signal: stop.signal });
    expect((await run("fetchUrl", { prompt: at }, ctx)).error?.type).toBe("cancelled");
  });

  it("says why a server cannot be reached", async () => {
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: "http://127.0.0.1:2/" }, ctx)).error?.message).toContain("ECONNREFUSED");
  });

  it("is refused without a URL, and for one that is not of the web", () => {
    expect(tool("fetchUrl").check({ prompt: "file:///etc/passwd" })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^prompt: expected a URL/),
    });
    expect(tool("fetchUrl").check({ prompt: "x", url: "ftp://a.example" })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^url: .*"ftp:/),
    });
  });
});

describe("redirects", () => {
  it("are followed, relative ones too, and the text is from where they lead", async () => {
    const at = await webServer((request, response) => {
      if (request.url === "/end") return void response.end("arrived");
      response.writeHead(request.url === "/a" ? 301 : 307, { location: request.url === "/a" ? "b" : `${at}/end` }).end();
    });
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: `${at}/a` }, ctx)).content).toBe(
      `From ${at}/end:\n<untrusted_context>\narrived\n</untrusted_context>`,
    );
  });

  it("end after five", async () => {
    const seen: (string | undefined)[] = [];
    const at = await webServer((request, response) => {
      seen.push(request.url);
      response.writeHead(302, { location: `/${seen.length}` }).end();
    });
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: `${at}/` }, ctx)).error?.message).toContain("more than 5 redirects");
    expect(seen).toHaveLength(6);
  });

  it("to another kind of address are not followed", async () => {
    const at = await webServer((_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end());
    const { ctx } = place({ limits: near });
    expect((await run("fetchUrl", { prompt: at }, ctx)).error?.message).toContain("redirects to file:///etc/passwd: file: is not fetched");
  });
});

describe("addresses that are not public", () => {
  it.each(["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "10.1.2.3", "169.254.169.254"])(
    "are not fetched: %s",
    async (host) => {
      const { ctx } = place();
      expect((await run("fetchUrl", { prompt: `http://${host}/` }, ctx)).error?.message).toContain("not on the public internet");
    },
  );

  it("are not connected to", async () => {
    let asked = 0;
    const at = await webServer((_request, response) => {
      asked += 1;
      response.end();
    });
    const { ctx } = place();
    await run("fetchUrl", { prompt: `${at} ${at.replace("127.0.0.1", "localhost")}` }, ctx);
    expect(asked).toBe(0);
  });

  it("are not reached through a redirect, with the host's own fetch too", async () => {
    const { ctx } = place({
      fetch: () => Promise.resolve(new Response(null, { status: 302, headers: { location: "http://169.254.169.254/secret" } })),
    });
    expect((await run("fetchUrl", { prompt: "http://93.184.215.14/" }, ctx)).error?.message).toContain(
      "redirects to http://169.254.169.254/secret: 169.254.169.254 is not on the public internet; a person can allow such addresses when starting the agent (--allow-private-addresses)",
    );
    expect((await run("fetchUrl", { prompt: "http://localhost/" }, ctx)).error?.message).toContain("not on the public internet");
  });

  it("are not reached through a proxy, nor past it, though the proxy itself may be private", async () => {
    const asked: string[] = [];
    const page = await webServer((_request, response) => void response.end("through the proxy"));
    const proxy = await proxyTo(page, asked);
    const { ctx } = place({ env: { http_proxy: proxy, HTTPS_PROXY: proxy, no_proxy: "past.localhost" } });
    // No name server knows it: the proxy does.
    expect((await run("fetchUrl", { prompt: "http://pages.invalid/" }, ctx)).content).toContain("\nthrough the proxy\n");
    const refused = ["http://127.0.0.1/", "http://localhost/", "http://past.localhost/"].map((url) =>
      run("fetchUrl", { prompt: url }, ctx),
    );
    for (const output of await Promise.all(refused)) expect(output.error?.message).toContain("not on the public internet");
    expect(asked).toEqual(["pages.invalid:80"]);
  });

  it("are as far away through the proxy of any variable that models go through", async () => {
    const page = await webServer((_request, response) => void response.end("through the proxy"));
    for (const variables of [
      (proxy: string) => ({ ALL_PROXY: proxy }),
      (proxy: string) => ({ all_proxy: proxy }),
      (proxy: string) => ({ http_proxy: "", HTTP_PROXY: proxy }),
    ]) {
      const asked: string[] = [];
      const { ctx } = place({ env: variables(await proxyTo(page, asked)) });
      expect((await run("fetchUrl", { prompt: "http://pages.invalid/" }, ctx)).content).toContain("\nthrough the proxy\n");
      expect(asked).toEqual(["pages.invalid:80"]);
    }
  });

  it("are not fetched past a proxy that is none: the answer names the variable", async () => {
    for (const [HTTP_PROXY, found] of [
      ["socks5://127.0.0.1:1", "socks5://127.0.0.1:1"],
      ["nonsense", "something that is no URL"],
    ] as const) {
      const { ctx } = place({ env: { HTTP_PROXY } });
      const { error } = await run("fetchUrl", { prompt: "http://pages.invalid/" }, ctx);
      expect(error?.message).toContain(`http://pages.invalid/: HTTP_PROXY: expected an http:// or https:// proxy, found ${found}`);
    }
  });

  it("are not reached with a user name in front", async () => {
    const { ctx } = place();
    expect((await run("fetchUrl", { prompt: "http://user:pw@93.184.215.14/" }, ctx)).error?.message).toContain("user name or password");
  });
});

describe("an address", () => {
  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  it.each([
    ...[
      "0.0.0.0",
      "10.0.0.1",
      "100.64.0.1",
      "127.255.255.255",
      "169.254.1.1",
      "172.31.255.255",
      "192.168.0.1",
      "198.18.0.1",
      "224.0.0.1",
      "255.255.255.255",
    ],
    ...[
      "::",
      "::1",
      "::7f00:1",
      "fe80::1%eth0",
      "fd00::1",
      "ff02::1",
      "::ffff:10.0.0.1",
      "::ffff:7f00:1",
      "64:ff9b::a00:1",
      "2002:7f00:1::",
      "2001:db8::1",
    ],
    ...["localhost", "", "1.2.3"],
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
