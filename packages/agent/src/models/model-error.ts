/** Turns what went wrong between us and a model into one error that says what to do and whether to try again. */

/** `tooLong`: the question does not fit into the model's window. `exhausted`: a scripted model has no answer left, or was asked something it did not expect. */
export type ModelErrorKind = "auth" | "rateLimit" | "server" | "network" | "badRequest" | "tooLong" | "exhausted" | "aborted";

/** What is known beside kind and message. `retryable` is by default what the kind says. */
export interface ModelErrorFacts {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

const retryableByKind: Readonly<Record<ModelErrorKind, boolean>> = {
  auth: false,
  rateLimit: true,
  server: true,
  network: true,
  badRequest: false,
  tooLong: false,
  exhausted: false,
  aborted: false,
};

/** The only error a `Model` rejects with. The message is for a person and never holds a key. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** The HTTP status, if there was an answer at all. */
  readonly status: number | undefined;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(kind: ModelErrorKind, message: string, facts: ModelErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "ModelError";
    this.kind = kind;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.retryable = facts.retryable ?? retryableByKind[kind];
  }
}

/** The kind an HTTP status stands for. 408 and 409 are the server's hiccups; a status below 400 is an answer that broke off. */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rateLimit";
  if (status >= 500 || status === 408 || status === 409) return "server";
  return status >= 400 ? "badRequest" : "network";
}

/** The error of a request that was called off. */
export const abortedError = (cause?: unknown): ModelError =>
  new ModelError("aborted", "The request to the model was cancelled.", { cause });
