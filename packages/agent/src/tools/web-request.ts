/** Turns a URL into an answer from the public internet, however the name resolves and wherever the server points next. */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import { proxiesOf } from "../models/index.ts";
import { isPublicAddress } from "./public-address.ts";
import type { ToolContext } from "./tool.ts";

/** `url` is where the body came from, after all redirects. `cut`: the body was longer than `maxFetchBytes`. */
export type WebAnswer =
  | {
      readonly ok: true;
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
      readonly cut: boolean;
    }
  | { readonly ok: false; readonly problem: string };

const MAX_REDIRECTS = 5;

/**
 * Follows at most five redirects and checks each of them like the first URL: http or https, no user name, and every address of the host
 * public unless private ones are allowed. Without a proxy the check is part of connecting, so a name cannot resolve to something else a
 * moment later. Through a proxy, or with the host's own `fetch`, names are checked before the request. Never rejects for what the other
 * side does.
 */
export async function webRequest(first: string, ctx: ToolContext): Promise<WebAnswer> {
  const { fetchTimeoutMs, maxFetchBytes } = ctx.limits;
  const late = AbortSignal.timeout(fetchTimeoutMs);
  const signal = AbortSignal.any([ctx.signal, late]);
  let line: Line | undefined;
  try {
    line = open(ctx);
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const problem = await refusal(url, ctx, line);
      if (problem !== undefined) return { ok: false, problem: redirects === 0 ? problem : `${first} redirects to ${url}: ${problem}` };
      const answer = await line.get(url, signal);
      const location = REDIRECTS.has(answer.status) ? answer.headers.get("location") : null;
      if (location === null)
        return {
          ok: true,
          url,
          status: answer.status,
          contentType: answer.headers.get("content-type") ?? "",
          ...(await bodyOf(answer.body, maxFetchBytes)),
        };
      await answer.body?.cancel();
      if (!URL.canParse(location, url)) return { ok: false, problem: `${url} redirects to ${location}, which is no URL` };
      url = new URL(location, url).href;
    }
    return { ok: false, problem: `${first}: more than ${MAX_REDIRECTS} redirects` };
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return {
      ok: false,
      problem: late.aborted ? `${first}: no complete answer within ${fetchTimeoutMs} ms` : `${first}: ${reasonOf(error)}`,
    };
  } finally {
    await line?.close();
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Body extends AsyncIterable<Uint8Array> {
  readonly cancel: () => Promise<void>;
}
interface Answer {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null };
  readonly body: Body | null;
}
/** One way to the internet. `checks`: private addresses cannot be reached through it, whatever a name resolves to. */
interface Line {
  readonly checks: boolean;
  readonly get: (url: string, signal: AbortSignal) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const HEADERS = { accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5", "user-agent": "carabiner" };

function open({ fetch: own, env, limits }: ToolContext): Line {
  if (own !== undefined) {
    return {
      checks: false,
      get: (url, signal) => own(url, { redirect: "manual", signal, headers: HEADERS }),
      close: () => Promise.resolve(),
    };
  }
  const connect = limits.allowPrivateAddresses ? {} : { lookup: publicLookup };
  const proxies = proxiesOf(env);
  const proxied = proxies.httpProxy !== "" || proxies.httpsProxy !== "";
  const dispatcher: Dispatcher = proxied ? new EnvHttpProxyAgent({ connect, ...proxies }) : new Agent({ connect });
  return {
    checks: !proxied,
    get: (url, signal) => undiciFetch(url, { redirect: "manual", signal, headers: HEADERS, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

async function refusal(given: string, { limits }: ToolContext, line: Line): Promise<string | undefined> {
  if (!URL.canParse(given)) return `${given} is no URL`;
  const { protocol, hostname, username, password } = new URL(given);
  if (protocol !== "http:" && protocol !== "https:") return `${protocol} is not fetched; only http: and https: are`;
  if (username !== "" || password !== "") return "a URL with a user name or password is not fetched";
  if (limits.allowPrivateAddresses) return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  // Connecting to a literal address looks nothing up, so it is checked here in every case.
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : notPublic(host, host);
  if (line.checks) return undefined;
  const addresses = await addressesOf(host);
  // Behind a proxy the name may be for the proxy alone to resolve.
  return addresses instanceof Error ? (/(^|\.)localhost\.?$/i.test(host) ? notPublic(host, "this machine") : undefined) : addresses;
}

const notPublic = (host: string, address: string): string =>
  `${host}${host === address ? "" : ` is ${address}, which`} is not on the public internet; a person can allow such addresses when starting the agent (--allow-private-addresses)`;

const addressesOf = (host: string): Promise<string | undefined | Error> =>
  new Promise((resolve) =>
    publicLookup(host, { all: true }, (error) =>
      resolve(error === null ? undefined : error instanceof PrivateAddress ? error.message : error),
    ),
  );

class PrivateAddress extends Error {}

/** As `dns.lookup`, and an error if only one of the host's addresses is not public. */
const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const bad = addresses.find(({ address }) => !isPublicAddress(address));
    if (bad !== undefined) return callback(new PrivateAddress(notPublic(host, bad.address)), []);
    const [one] = addresses;
    if (options.all === true || one === undefined) return callback(null, addresses);
    callback(null, one.address, one.family);
  });
};

async function bodyOf(body: Body | null, maxBytes: number): Promise<{ readonly body: Buffer; readonly cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: length > maxBytes };
}

/** `fetch failed` says nothing; what it stands for is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
