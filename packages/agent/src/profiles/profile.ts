/** What the agent, and only the agent, needs of a product: where its hooks expect transcripts, which files it reads, how it words things. */
import type { DialectId } from "@carabiner/engine";
import type { RuleSyntax } from "../permissions/index.ts";
import type { TelemetryVariables } from "../telemetry/index.ts";
import type { ConfirmDetails, ToolWording } from "../tools/index.ts";

/** Where things are for one user and one project. */
export interface ProfilePlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project directory. */
  readonly cwd: string;
}
/** A question about an MCP tool; the other kinds of details come from the tools themselves. */
export interface McpDetails {
  readonly type: "mcp";
  readonly title: string;
  readonly serverName: string;
  readonly toolName: string;
  readonly toolDisplayName: string;
}

export interface Profile {
  readonly dialect: DialectId;
  /** The product's folder in a project and in the user's home. */
  readonly userDir: (place: ProfilePlace) => string;
  /** Where transcripts of this project are, and the name of one. Absolute. */
  readonly transcriptDir: (place: ProfilePlace) => string;
  readonly transcriptName: (id: string, startedAt: Date) => string;
  readonly plansDir: (place: ProfilePlace, sessionId: string) => string;
  /** Context files, by name, read in the user's folder, in the project and in the folders above it; `folder/*.md` names all in it. */
  readonly contextFiles: readonly string[];
  readonly memory: (place: ProfilePlace) => { readonly file: string; readonly heading: string };
  /** Folders with definitions of sub-agents, the strongest first; the project's are left out in an untrusted folder. */
  readonly agentFolders: (place: ProfilePlace, trusted: boolean) => readonly string[];
  readonly ignoreFiles: readonly string[];
  /** First match of `.env`, from the project upward, then in the user's home. */
  readonly envFiles: readonly string[];
  /** A variable that, set to `true`, says that no folder needs a decision: the product's own test rig sets it. */
  readonly noFolderTrust: string | undefined;
  readonly rules: RuleSyntax;
  /** Settings paths of the values the agent reads. */
  readonly settings: {
    readonly modelName: string;
    readonly maxTurns: string;
    readonly mcpServers: string;
    /** Lists of servers' names: those that may be connected to at all, and those that may not. Absent: this product has none. */
    readonly mcpAllowed?: string;
    readonly mcpExcluded?: string;
    readonly contextFileName: string;
    readonly compressionThreshold: string;
  };
  /** The settings path, the variables over it, and what record names begin with; absent: this product writes none. */
  readonly telemetry: { readonly setting: string; readonly variables: TelemetryVariables; readonly prefix: string } | undefined;
  /** Is a command that ran and did not succeed a failed tool? */
  readonly failedCommandIsError: boolean;
  /** Added to the result of a call whose arguments a hook changed. */
  readonly rewriteNotice: string | undefined;
  /** This product's own words for single arguments, and what it asks for, by the tool's name. */
  readonly wording: Readonly<Record<string, ToolWording>>;
  /** What a notification says when this is asked. */
  readonly notice: (details: ConfirmDetails | McpDetails) => { readonly message: string; readonly title?: string };
}
