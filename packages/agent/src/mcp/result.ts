/** Turns what an MCP tool returned into what the model reads and what people see. */
import type { Json, JsonObject } from "@carabiner/engine";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { cutAt, DEFAULT_LIMITS } from "../tools/index.ts";

/** `content` is a text, or parts `{text}` and `{inlineData: {mimeType, data}}` where there is media. `display` is for people. */
export interface McpResult {
  readonly content: Json;
  readonly isError: boolean;
  readonly display: string;
}

/**
 * Structured content counts only where there is no other: servers send both with one meaning. As much text and media as our own tools give;
 * what is beyond that is named in its place.
 */
export function resultOf({ content, structuredContent, isError }: CallToolResult): McpResult {
  const whole = content.map(partOf);
  if (whole.length === 0 && structuredContent !== undefined) whole.push({ text: JSON.stringify(structuredContent, null, 2) });
  const parts = bounded(whole);
  const hasMedia = parts.some((part) => "inlineData" in part);
  const text = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  const display = parts
    .map((part) => ("text" in part ? part.text : `[${part.inlineData.mimeType}, ${size(part.inlineData.data)}]`))
    .join("\n");
  const failed = isError === true;
  return { content: hasMedia ? parts : text === "" && failed ? "The tool failed and gave no reason." : text, isError: failed, display };
}

/** A failure of our own making: the connection, the time limit, a cancellation. */
export const failedResult = (text: string): McpResult => ({ content: text, isError: true, display: text });

type TextPart = { readonly text: string };
type MediaPart = { readonly inlineData: { readonly mimeType: string; readonly data: string } & JsonObject };

function partOf(block: ContentBlock): TextPart | MediaPart {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "audio":
      return { inlineData: { mimeType: block.mimeType, data: block.data } };
    case "resource_link":
      return { text: `Resource ${block.name}${block.description === undefined ? "" : ` (${block.description})`}: ${block.uri}` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { text: resource.text };
      const mimeType = resource.mimeType ?? "application/octet-stream";
      return /^(image|audio|video)\/|^application\/pdf$/.test(mimeType)
        ? { inlineData: { mimeType, data: resource.blob } }
        : { text: `Resource ${resource.uri}: ${mimeType}, ${size(resource.blob)}, not shown` };
    }
  }
}

function bounded(parts: readonly (TextPart | MediaPart)[]): readonly (TextPart | MediaPart)[] {
  const { maxTextBytes, maxMediaBytes } = DEFAULT_LIMITS;
  let room = maxTextBytes;
  return parts.map((part): TextPart | MediaPart => {
    if ("inlineData" in part) {
      const { mimeType, data } = part.inlineData;
      return data.length <= (maxMediaBytes * 4) / 3
        ? part
        : { text: `[${mimeType}, ${size(data)}, not shown: the limit is ${maxMediaBytes} bytes]` };
    }
    const short = cutAt(part.text, room);
    const bytes = Buffer.byteLength(part.text);
    room = Math.max(0, room - bytes);
    return short === undefined ? part : { text: `${short}\n[cut: of ${bytes} bytes the first ${Buffer.byteLength(short)} are shown]` };
  });
}

/** Of base64. */
function size(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4) - (base64.match(/=+$/)?.[0].length ?? 0);
  return bytes < 1_000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
