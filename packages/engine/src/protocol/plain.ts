/** Text from hooks as people may see it: no control characters, no escape sequences. The record keeps what was printed. */

// ESC sequences (CSI, OSC ended by BEL or ST, two-byte ones), then every control but tab and newline, then the invisible direction marks.
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const plain = (text: string): string => text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "");

/** The last `max` characters of plain text on one line: how stderr is quoted in a message. */
export function tail(text: string, max = 240): string {
  const line = plain(text.length > max * 8 ? text.slice(-max * 8) : text)
    .trim()
    .replace(/\s*\n\s*/g, " / ");
  return line.length <= max ? line : `...${line.slice(3 - max)}`;
}
