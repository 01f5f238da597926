/** Turns a history into a guess at its tokens, for decisions that need no more than that. */
import type { Json } from "@carabiner/engine";
import type { Message, Part } from "../models/index.ts";

/** Four characters a token, but one for each character outside ASCII, which is what Chinese costs. */
const ASCII_PER_TOKEN = 4;
/** An image or a page of a document, whatever its size: providers scale them down. */
const MEDIA_TOKENS = 1_000;
/** Role and separators of a message. */
const MESSAGE_TOKENS = 4;

/** Texts, thoughts, inputs of calls and results all count, and so does media inside a result. Usually within a third of the truth. */
export const estimateTokens = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.parts.reduce((more, part) => more + partTokens(part), MESSAGE_TOKENS), 0);

function partTokens(part: Part): number {
  switch (part.type) {
    case "text":
      return textTokens(part.text);
    case "call":
      return textTokens(part.name) + jsonTokens(part.input);
    case "result":
      return textTokens(part.name) + jsonTokens(part.output);
    case "media":
      return MEDIA_TOKENS;
  }
}

function jsonTokens(value: Json): number {
  if (typeof value === "string") return textTokens(value);
  if (typeof value !== "object" || value === null) return 1;
  if (isMedia(value)) return MEDIA_TOKENS;
  return Object.entries(value).reduce(
    (sum, [key, inner]: [string, Json]) => sum + (Array.isArray(value) ? 0 : textTokens(key)) + jsonTokens(inner),
    1,
  );
}

/** `{inlineData: {mimeType, data}}`: its base64 is not read as text. */
const isMedia = (value: object): boolean => "inlineData" in value && Object.keys(value).length === 1;

function textTokens(text: string): number {
  let other = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) other++;
  return Math.ceil((text.length - other) / ASCII_PER_TOKEN) + other;
}
