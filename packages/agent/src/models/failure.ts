/** Turns whatever a provider's client threw into a ModelError that names provider, model and remedy. */
import { STATUS_CODES } from "node:http";
import { parsed } from "./json.ts";
import { abortedError, kindOfStatus, ModelError, type ModelErrorKind } from "./model-error.ts";

/** Whom the request went to, and what must not be repeated. */
export interface Addressee {
  /** `google/gemini-3.5-flash` */
  readonly who: string;
  readonly baseUrl: string;
  readonly keyVariable: string;
  readonly baseVariable: string;
  readonly key: string | undefined;
  /** Whether it had begun to answer. */
  readonly began: boolean;
}

/** A page for people where a model's answer should be. */
export class WebPage extends Error {
  constructor(contentType: string) {
    super(`it sent a web page (${contentType}) in place of an answer`);
    this.name = "WebPage";
  }
}

/** Never throws. An error that is a ModelError already stays as it is. */
export function failure(error: unknown, to: Addressee, signal: AbortSignal): ModelError {
  if (signal.aborted) return abortedError(error);
  if (error instanceof ModelError) return error;
  const seen = facts(error);
  const kind = kindOf(seen);
  const said = hidden(seen.message, to.key);
  return new ModelError(kind, sentence(kind, said, seen, to), {
    status: seen.status,
    retryAfterMs: retryAfter(seen),
    retryable: isSpent(seen.body) ? false : undefined,
    cause: error,
  });
}

interface Facts {
  readonly message: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** What the provider calls the error, in the words of its wire. */
  readonly type: string;
  readonly offline: boolean;
}

/** Reads the SDK's errors by their fields: importing its classes would load it for every agent that never fails. */
function facts(error: unknown): Facts {
  if (!isRecord(error)) return { message: String(error), status: undefined, headers: {}, body: "", type: "", offline: false };
  const field = (name: string): unknown => error[name];
  const message = typeof error["message"] === "string" && error["message"] ? error["message"] : JSON.stringify(error);
  const code = field("statusCode") ?? field("code");
  const status = typeof code === "number" && code >= 100 && code < 600 ? code : undefined;
  const headers = field("responseHeaders");
  const body = field("responseBody");
  const type = field("type") ?? field("name");
  // A status below 400 on an error is an answer whose body broke off.
  const offline =
    (status !== undefined && status < 400) || /^(fetch failed|terminated|Cannot connect to API)|without a finish reason/.test(message);
  const said = typeof body === "string" && isPhrase(message) ? worded(body) : undefined;
  return {
    message: (offline ? reason(error) : said) ?? message,
    status: status !== undefined && status < 400 ? undefined : status,
    headers: isRecord(headers) ? headers : {},
    // An error thrown in our process holds the request: a prompt about quotas is not a quota.
    body: typeof body === "string" ? body : error instanceof Error ? "" : JSON.stringify(error),
    type: typeof type === "string" ? type : "",
    offline,
  };
}

function kindOf(seen: Facts): ModelErrorKind {
  if (seen.body.includes("API_KEY_INVALID")) return "auth";
  if (isTooLong(seen)) return "tooLong";
  if (seen.status !== undefined) return kindOfStatus(seen.status);
  if (seen.offline) return "network";
  // A chunk that is no JSON, or not of the expected shape.
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(seen.type)) return "server";
  if (/overloaded|server|internal|unavailable|timeout/i.test(seen.type)) return "server";
  if (/rate_limit|quota/i.test(seen.type)) return "rateLimit";
  if (/authentication|permission/i.test(seen.type)) return "auth";
  return "badRequest";
}

function sentence(kind: ModelErrorKind, said: string, { status, type }: Facts, to: Addressee): string {
  const answered = status === undefined ? `${to.who}: ${said}` : `${to.who} answered ${status}: ${said}`;
  switch (kind) {
    case "auth":
      return `${answered}. Check the key in ${to.keyVariable}.`;
    case "rateLimit":
      return `${answered}. The quota of the key in ${to.keyVariable} is used up for now.`;
    case "network":
      if (to.began) return `${to.who}: the answer broke off before it was finished (${said}).`;
      if (/certificate/i.test(said))
        return `Cannot reach ${to.who} at ${to.baseUrl}: ${said}. Where an authority of your own signs certificates, NODE_EXTRA_CA_CERTS names its file.`;
      return `Cannot reach ${to.who} at ${to.baseUrl}: ${said}. Check the network, the proxy variables and ${to.baseVariable}.`;
    case "badRequest":
      if (type === WebPage.name) return `${answered}. Check ${to.baseVariable} (now ${to.baseUrl}) and the proxy variables.`;
      return status === 404 ? `${answered}. Check the model's name and ${to.baseVariable} (now ${to.baseUrl}).` : answered;
    default:
      return answered;
  }
}

/** What the SDK says of a body it does not know: the phrase that goes with the status. */
const isPhrase = (message: string): boolean => Object.values(STATUS_CODES).includes(message);

/** Errors of gateways and local servers: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, or a short text that is no page. */
function worded(body: string): string | undefined {
  const read = parsed(body);
  if (!read.ok) return body.trim() === "" || body.length > 300 || body.includes("<") ? undefined : body.trim();
  let found: unknown = Array.isArray(read.value) ? read.value[0] : read.value;
  for (let depth = 0; depth < 3 && isRecord(found); depth++) found = found["error"] ?? found["message"] ?? found["detail"];
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** In the words of Gemini, OpenAI and the servers that copy it, llama.cpp, and Anthropic, in this order; 413 is Anthropic's too. */
const TOO_LONG =
  /input token count.*exceeds|context_length_exceeded|maximum context length|exceed_context_size|prompt is too long|exceed context limit/i;
const isTooLong = ({ status, message, body }: Facts): boolean =>
  status === 413 || ((status === undefined || status === 400 || status === 422) && TOO_LONG.test(`${message} ${body}`));

/** A quota that does not come back within minutes. */
const isSpent = (body: string): boolean => /insufficient_quota|PerDay/.test(body);

/** Header in milliseconds, header in seconds or as a date, or Google's RetryInfo in the body. */
function retryAfter(seen: Facts): number | undefined {
  const ms = Number(seen.headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const header = seen.headers["retry-after"];
  if (typeof header === "string" && header.trim() !== "") {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(seen.body)?.[1];
  return delay === undefined ? undefined : Math.round(Number(delay) * 1_000);
}

/** The innermost cause of a connection that failed: "fetch failed" tells nobody anything. */
function reason(error: Readonly<Record<string, unknown>>): string | undefined {
  const cause = error["cause"];
  if (!isRecord(cause)) return undefined;
  const inner = reason(cause);
  if (inner) return inner;
  const message = cause["message"];
  const code = cause["code"];
  if (typeof message === "string" && message) return message;
  return typeof code === "string" ? code : undefined;
}

const hidden = (message: string, key: string | undefined): string =>
  (key ? message.replaceAll(key, "[the key]") : message).trim().replace(/\.$/, "");

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
