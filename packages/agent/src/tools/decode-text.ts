/** Turns the bytes of a file into text and back, or says that they are no text. */

/** `encoding` is what `encodeText` needs to write the same kind of file; `lossy` text cannot be written back unharmed. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: "utf8" | "utf8-bom" | "utf16le";
  readonly lossy: boolean;
}

/** `undefined` for binary data: a zero byte in the first 8 KiB, without the byte order mark of UTF-16. The mark is not part of the text. */
export function decodeText(bytes: Buffer): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    const text = new TextDecoder("utf-16le").decode(bytes);
    return { text, encoding: "utf16le", lossy: !encodeText(text, "utf16le").equals(bytes) };
  }
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encoding = marked ? "utf8-bom" : "utf8";
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding, lossy: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: new TextDecoder("utf-8").decode(bytes), encoding, lossy: true };
  }
}

/** The bytes of a text, with the mark that its encoding had. */
export function encodeText(text: string, encoding: DecodedText["encoding"]): Buffer {
  if (encoding === "utf16le") return Buffer.from(`\uFEFF${text}`, "utf16le");
  return Buffer.from(encoding === "utf8-bom" ? `\uFEFF${text}` : text, "utf8");
}
