/** Gemini CLI as the agent has to know it. Source: the study of the real binary, by rule id. */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { geminiRuleSyntax } from "../permissions/index.ts";
import type { Profile, ProfilePlace } from "./profile.ts";
import { realPath } from "./real-path.ts";

const userDir = ({ home, env }: ProfilePlace): string => join(env.GEMINI_CLI_HOME || home, ".gemini");
const projectDir = (place: ProfilePlace): string => join(userDir(place), "tmp", projectId(place.cwd));

/** The verbs of 2.16; a kind that is not listed has the plain sentence. */
const NEEDS: Readonly<Record<string, string>> = { edit: "editing", exec: "execution", mcp: "MCP", info: "information" };

export const gemini: Profile = {
  dialect: "gemini",
  userDir,
  transcriptDir: (place) => join(projectDir(place), "chats"),
  // 2.1: session-<YYYY-MM-DDTHH-MM>-<first 8 characters of the id>.jsonl
  transcriptName: (id, startedAt) => `session-${startedAt.toISOString().slice(0, 16).replace(":", "-")}-${id.slice(0, 8)}.jsonl`,
  plansDir: (place, sessionId) => join(projectDir(place), sessionId, "plans"),
  contextFiles: ["GEMINI.md"],
  memory: (place) => ({ file: join(userDir(place), "GEMINI.md"), heading: "Gemini Added Memories" }),
  agentFolders: (place, trusted) => [...(trusted ? [join(place.cwd, ".gemini", "agents")] : []), join(userDir(place), "agents")],
  ignoreFiles: [".geminiignore"],
  envFiles: [".gemini/.env", ".env"],
  // 9.1
  noFolderTrust: "GEMINI_CLI_INTEGRATION_TEST",
  rules: geminiRuleSyntax,
  settings: {
    modelName: "model.name",
    maxTurns: "model.maxSessionTurns",
    mcpServers: "mcpServers",
    mcpAllowed: "mcp.allowed",
    mcpExcluded: "mcp.excluded",
    contextFileName: "context.fileName",
    compressionThreshold: "model.compressionThreshold",
  },
  telemetry: {
    setting: "telemetry",
    variables: { enabled: "GEMINI_TELEMETRY_ENABLED", outfile: "GEMINI_TELEMETRY_OUTFILE", logPrompts: "GEMINI_TELEMETRY_LOG_PROMPTS" },
    prefix: "gemini_cli",
  },
  failedCommandIsError: false,
  rewriteNotice: "[System] Tool input parameters were modified by a hook before execution.",
  wording: {},
  notice: ({ type, title }) => ({
    message: Object.hasOwn(NEEDS, type) ? `Tool ${title} requires ${NEEDS[type]}` : "Tool requires confirmation",
  }),
};

/** A name a person recognises, and a hash that keeps two folders of that name apart. */
function projectId(cwd: string): string {
  const real = realPath(cwd);
  const name =
    basename(real)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "project";
  return `${name}-${createHash("sha256").update(real).digest("hex").slice(0, 8)}`;
}
