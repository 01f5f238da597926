/** Turns a ModelCall into the options of the AI SDK's language models. */
import type {
  JSONObject,
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { Json, JsonObject } from "@carabiner/engine";
import { joined } from "./answer.ts";
import { isObject } from "./json.ts";
import type { Message, ModelCall, Part } from "./model.ts";
import { paired } from "./pairs.ts";
import type { ProviderRow } from "./providers.ts";

/**
 * Everything but the signal. Several allowed names become a filtered tool list, which every provider understands; metadata goes back as it came;
 * messages left without parts are left out.
 */
export function callOptions(call: ModelCall, row: ProviderRow): LanguageModelV3CallOptions {
  const { mode, allowed } = call.toolLimit ?? { mode: "auto", allowed: [] };
  const tools = mode === "none" || allowed.length === 0 ? call.tools : call.tools.filter((tool) => allowed.includes(tool.name));
  const options = row.options(call.model);
  return {
    ...call.config,
    prompt: [
      ...(call.system ? [{ role: "system" as const, content: call.system }] : []),
      ...paired(call.messages).flatMap((message) => (message.role === "model" ? answered(message) : asked(message, row.marksErrors))),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: "function" as const,
            name: tool.name,
            description: tool.description,
            inputSchema: theirs(tool.parameters),
          })),
        }),
    ...(call.toolLimit && tools.length > 0 ? { toolChoice: { type: choices[mode] } } : {}),
    ...(options ? { providerOptions: providerOptions(options) } : {}),
  };
}

const choices = { auto: "auto", any: "required", none: "none" } as const;

type Said<Role extends LanguageModelV3Message["role"]> = Extract<LanguageModelV3Message, { role: Role }>["content"];

function answered(message: Message): LanguageModelV3Message[] {
  const content = joined(message.parts).flatMap((part): Said<"assistant"> => {
    if (part.type === "result") return [];
    if (part.type === "media") return [{ type: "file", data: part.data, mediaType: part.mimeType }];
    const returned = part.metadata ? { providerOptions: providerOptions(part.metadata) } : {};
    if (part.type === "call") {
      return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input, ...returned }];
    }
    // A thought whose text is withheld lives in its metadata alone.
    if (part.text === "" && !(part.thought && part.metadata)) return [];
    return [{ type: part.thought ? "reasoning" : "text", text: part.text, ...returned }];
  });
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

/** Results come first and in a message of their own: every provider wants them right behind the calls. */
function asked(message: Message, marksErrors: boolean): LanguageModelV3Message[] {
  const results = message.parts.filter((part) => part.type === "result");
  const content = message.parts.flatMap((part): Said<"user"> => {
    if (part.type === "text" && part.text !== "") return [{ type: "text", text: part.text }];
    if (part.type === "media") return [{ type: "file", data: part.data, mediaType: part.mimeType }];
    return [];
  });
  const said: LanguageModelV3Message[] = [];
  if (results.length > 0) {
    said.push({
      role: "tool",
      content: results.map((part) => ({
        type: "tool-result",
        toolCallId: part.id,
        toolName: part.name,
        output: output(part, marksErrors),
      })),
    });
  }
  if (content.length > 0) said.push({ role: "user", content });
  return said;
}

function output(part: Extract<Part, { readonly type: "result" }>, marksErrors: boolean): LanguageModelV3ToolResultOutput {
  const said = part.output;
  if (part.isError && !marksErrors) {
    return { type: "error-json", value: theirs(isObject(said) && Object.hasOwn(said, "error") ? said : { error: said }) };
  }
  if (typeof said === "string") return { type: part.isError ? "error-text" : "text", value: said };
  return { type: part.isError ? "error-json" : "json", value: theirs(said) };
}

/** Only objects can be keyed by provider; a signature that came through an OpenAI endpoint is read back under Google's name. */
function providerOptions(metadata: JsonObject): SharedV3ProviderOptions {
  const options: SharedV3ProviderOptions = {};
  for (const [provider, value] of Object.entries(metadata)) if (isObject(value)) options[provider] = theirs(value);
  const signed = options["openai"];
  if (signed?.["thoughtSignature"] !== undefined && options["google"] === undefined) options["google"] = signed;
  return options;
}

/** The SDK's JSON types are mutable, its code does not write into them: copying every tool result would be the price of saying so. */
function theirs(value: JsonObject): JSONObject;
function theirs(value: Json): JSONValue;
function theirs(value: Json): JSONValue {
  return value as JSONValue;
}
