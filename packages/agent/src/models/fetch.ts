/** Turns the proxy variables of an environment into a fetch that honours them; Node 20's own fetch does not. */

/** Models may think for minutes before the first byte, and between two. */
const silenceMs = 600_000;

/**
 * A fetch that goes through HTTP_PROXY, HTTPS_PROXY (ALL_PROXY for either) and honours NO_PROXY, in capital or small letters, small ones first.
 * Nothing is loaded or opened before the first call. Certificates of NODE_EXTRA_CA_CERTS count, as everywhere in Node.
 * A proxy that is not http(s) rejects the call with a message that names it without its password.
 */
export function proxyFetch(env: Readonly<Record<string, string | undefined>>): typeof fetch {
  let opened: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    opened ??= open(env);
    const send = await opened;
    return send(input, init);
  };
}

async function open(env: Readonly<Record<string, string | undefined>>): Promise<typeof fetch> {
  // The default export is the module itself, loaded by Node or out of a bundle; names of their own only Node gives it.
  const { default: undici } = await import("undici");
  const dispatcher = new undici.EnvHttpProxyAgent({ headersTimeout: silenceMs, bodyTimeout: silenceMs, ...proxiesOf(env) });
  // Node's declarations describe an older undici; to a caller the two are the same.
  const send = undici.fetch as unknown as (input: Parameters<typeof fetch>[0], init: object) => ReturnType<typeof fetch>;
  return (input, init) => send(input, { ...init, dispatcher });
}

/** What an environment says of proxies, as undici takes it; `""` for none. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Throws an Error for a person when a proxy is not http(s). The empty strings keep undici from reading the process's own environment. */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies {
  const all = variable(env, "ALL_PROXY");
  return {
    httpProxy: checked("HTTP_PROXY", variable(env, "HTTP_PROXY") ?? all) ?? "",
    httpsProxy: checked("HTTPS_PROXY", variable(env, "HTTPS_PROXY") ?? all) ?? "",
    noProxy: variable(env, "NO_PROXY") ?? "",
  };
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}

function checked(name: string, proxy: string | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return proxy;
  const found = url ? `${url.protocol}//${url.host}` : "something that is no URL";
  throw new Error(`${name}: expected an http:// or https:// proxy, found ${found}. Unset it, or name the host in NO_PROXY.`);
}
