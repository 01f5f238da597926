/** Qoder CN CLI as the agent has to know it. Source: contracts/qoder-cn.md, and the study of the real binary by section. */
import { join } from "node:path";
import { qoderRuleSyntax } from "../permissions/index.ts";
import type { Profile, ProfilePlace } from "./profile.ts";
import { qoderCnWording } from "./qoder-cn-wording.ts";
import { realPath } from "./real-path.ts";

/** Study 2.2. */
const userDir = ({ home, env }: ProfilePlace): string => env.QODERCN_CONFIG_DIR || join(home, ".qoder-cn");
/** Study 8: every character that is no letter or digit becomes a dash. */
const slug = (cwd: string): string => realPath(cwd).replace(/[^A-Za-z0-9]/g, "-");

export const qoderCn: Profile = {
  dialect: "qoder-cn",
  userDir,
  transcriptDir: (place) => join(userDir(place), "projects", slug(place.cwd)),
  transcriptName: (id) => `${id}.jsonl`,
  plansDir: (place, sessionId) => join(userDir(place), "plans", sessionId),
  contextFiles: ["AGENTS.md", "AGENTS.local.md", ".qoder/rules/*.md"],
  memory: (place) => ({ file: join(userDir(place), "AGENTS.md"), heading: "Memories" }),
  agentFolders: (place, trusted) => [...(trusted ? [join(place.cwd, ".qoder", "agents")] : []), join(userDir(place), "agents")],
  ignoreFiles: [".qoderignore"],
  envFiles: [".env"],
  noFolderTrust: undefined,
  rules: qoderRuleSyntax,
  settings: {
    modelName: "model.name",
    maxTurns: "model.maxSessionTurns",
    mcpServers: "mcpServers",
    contextFileName: "context.fileName",
    compressionThreshold: "model.compressionThreshold",
  },
  telemetry: undefined,
  // A shell command with a non-zero exit is a failed tool. Source: contracts/qoder-cn.md, PostToolUseFailure.
  failedCommandIsError: true,
  rewriteNotice: undefined,
  wording: qoderCnWording,
  notice: ({ title }) => ({ message: title, title: "Permission Required" }),
};
