/** Proxies, through a real one on loopback. */
import { describe, expect, it, onTestFinished } from "vitest";
import { proxyFetch } from "../../src/models/index.ts";
import { type ProxyServer, startProxy } from "../servers/proxy-server.ts";
import { all, allStands, ask, failureOf, modelAt, partsOf, serve, stands } from "./against.ts";

async function proxy(): Promise<ProxyServer> {
  const server = await startProxy();
  onTestFinished(() => server.close());
  return server;
}

describe.each(allStands)("a model that speaks $format", (stand) => {
  it("goes through the proxy of the environment", async () => {
    const { url: through, targets } = await proxy();
    const { url } = await serve(stand.format, [{ text: "by proxy" }]);
    const model = modelAt(stand, url, { HTTP_PROXY: through });
    expect(partsOf(await all(ask(model)))).toEqual([{ type: "text", text: "by proxy" }]);
    expect(targets).toEqual([new URL(url).host]);
  });
});

describe("the proxy variables", () => {
  it.each([["http_proxy"], ["ALL_PROXY"], ["all_proxy"]])("count as %s too", async (name) => {
    const { url: through, targets } = await proxy();
    const { url } = await serve("openai", [{ text: "ok" }]);
    await all(ask(modelAt(stands.openai, url, { [name]: through })));
    expect(targets).toHaveLength(1);
  });

  it.each([["127.0.0.1"], ["localhost,127.0.0.1"], ["*"]])("leave out what NO_PROXY=%s names", async (value) => {
    const { url: through, targets } = await proxy();
    const { url } = await serve("openai", [{ text: "direct" }]);
    const model = modelAt(stands.openai, url, { HTTP_PROXY: through, NO_PROXY: value });
    expect(partsOf(await all(ask(model)))).toEqual([{ type: "text", text: "direct" }]);
    expect(targets).toEqual([]);
  });

  it("do not include HTTPS_PROXY for plain addresses", async () => {
    const { url: through, targets } = await proxy();
    const { url } = await serve("openai", [{ text: "direct" }]);
    await all(ask(modelAt(stands.openai, url, { HTTPS_PROXY: through })));
    expect(targets).toEqual([]);
  });

  it("make a tunnel for https addresses", async () => {
    const { url: through, targets } = await proxy();
    const { url } = await serve("openai", []);
    // Nothing speaks TLS there: that the tunnel was asked for is what counts.
    await expect(proxyFetch({ HTTPS_PROXY: through })(url.replace("http:", "https:"))).rejects.toThrow("fetch failed");
    expect(targets).toEqual([new URL(url).host]);
  });

  it("are explained when the proxy is of an unknown kind, without its password", async () => {
    const { url } = await serve("openai", [{ text: "never" }]);
    const error = await failureOf(ask(modelAt(stands.openai, url, { HTTP_PROXY: "socks5://me:hidden@127.0.0.1:9" })));
    expect(error.message).toContain("HTTP_PROXY: expected an http:// or https:// proxy, found socks5://127.0.0.1:9");
    expect(error.message).not.toContain("hidden");
  });
});
