/** Turns text that is too long into text that fits and says what was left out. */

/** At most `maxBytes` of UTF-8, whole characters; `undefined` when the text fits as it is. */
export function cutAt(text: string, maxBytes: number): string | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return undefined;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** One line for the model: cut after `maxChars` characters, with a mark that says how long it is. */
export function cutLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, maxChars)}... [line of ${line.length} characters cut]`;
}
