/** Turns an error of a connection into the words that say what went wrong, without a full stop. */

/** What a connection failed of stands in the cause: `fetch failed` tells nobody anything. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return (/fetch failed/.test(message) && cause instanceof Error && cause.message !== "" ? whyOf(cause) : message).replace(/\.$/, "");
}
