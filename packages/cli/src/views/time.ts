/** Turns a moment into the date and time of the reader's clock. */

/** `2026-10-18 12:30:01`, from ISO 8601; a text that is no moment stays as it is. */
export function dateAndTime(iso: string, timeZone?: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const parts = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "medium",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return parts.format(at);
}
