/** Everything observable about a running agent, as one union: text, JSON and the terminal are consumers of it. */
import type { Json, JsonObject, ToolDone } from "@carabiner/engine";
import type { Message, Usage } from "../models/index.ts";

export type AgentEvent =
  // the session
  | {
      readonly kind: "sessionStarted";
      readonly id: string;
      readonly model: string;
      readonly transcriptPath: string;
      readonly resumed: boolean;
    }
  | { readonly kind: "sessionEnded"; readonly id: string; readonly reason: string }
  // the conversation
  | { readonly kind: "prompt"; readonly text: string; readonly origin: "user" | "retry" }
  | { readonly kind: "text"; readonly text: string; readonly agent: string | undefined }
  | { readonly kind: "thought"; readonly text: string; readonly agent: string | undefined }
  | {
      readonly kind: "modelAsked";
      readonly model: string;
      readonly promptId: string;
      readonly messages: readonly Message[];
      readonly role: "main" | "subagent" | "utility";
    }
  | { readonly kind: "modelAnswered"; readonly usage: Usage | undefined; readonly durationMs: number }
  | { readonly kind: "modelRetry"; readonly attempt: number; readonly waitMs: number; readonly why: string }
  // tools
  | {
      readonly kind: "toolAsked";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly agent: string | undefined;
    }
  | {
      readonly kind: "toolRan";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly durationMs: number;
      readonly error: { readonly message: string; readonly type?: string } | undefined;
      readonly promptId: string;
      readonly mcp: boolean;
      readonly content: Json;
    }
  | { readonly kind: "toolOutput"; readonly callId: string; readonly text: string }
  | {
      readonly kind: "toolDone";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly done: ToolDone;
      readonly agent: string | undefined;
    }
  // what people should know
  | { readonly kind: "notice"; readonly level: "info" | "warning" | "error"; readonly text: string }
  | { readonly kind: "compressed"; readonly from: number; readonly to: number; readonly keptMessages: number };

export type Tell = (event: AgentEvent) => void;
