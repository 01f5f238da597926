/** Turns the first bytes of a file into the media type that a model can be shown, if it is one. */

/** Images and PDF, known by their signature and never by their name. `undefined` for everything else. */
export function mediaType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(({ at = 0, starts, and }) => holds(bytes, at, starts) && (and === undefined || holds(bytes, and.at, and.starts)))
    ?.type;
}

interface Signature {
  readonly type: string;
  readonly at?: number;
  readonly starts: string;
  readonly and?: { readonly at: number; readonly starts: string };
}
const SIGNATURES: readonly Signature[] = [
  { type: "image/png", starts: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", starts: "\xff\xd8\xff" },
  { type: "image/gif", starts: "GIF8" },
  { type: "image/webp", starts: "RIFF", and: { at: 8, starts: "WEBP" } },
  { type: "image/bmp", starts: "BM", and: { at: 6, starts: "\0\0\0\0" } },
  { type: "application/pdf", starts: "%PDF-" },
];

const holds = (bytes: Uint8Array, at: number, starts: string): boolean =>
  [...starts].every((char, i) => bytes[at + i] === char.charCodeAt(0));
