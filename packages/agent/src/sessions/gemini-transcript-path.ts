/** Turns a session into the place where Gemini CLI's hooks look for its transcript. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** What a product's layout may depend on. `cwd` is the project folder. */
export interface TranscriptPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly id: string;
  readonly startedAt: Date;
}

/**
 * `<home>/.gemini/tmp/<project-id>/chats/session-<YYYY-MM-DDTHH-MM>-<id8>.jsonl`, the time in UTC; `GEMINI_CLI_HOME` moves the home.
 * The project id is the folder's name with the hash of its real path, so that two folders of one name stay apart.
 * Source: gemini-observed 2.1, `transcript_path`.
 */
export function geminiTranscriptPath({ home, env, cwd, id, startedAt }: TranscriptPlace): string {
  const root = env["GEMINI_CLI_HOME"] || home;
  const minute = startedAt.toISOString().slice(0, 16).replace(":", "-");
  return join(root, ".gemini", "tmp", projectId(cwd), "chats", `session-${minute}-${id.replace(/[^\w-]/g, "").slice(0, 8)}.jsonl`);
}

function projectId(cwd: string): string {
  const real = realOf(cwd);
  const slug = basename(real)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 8);
  return slug === "" ? hash : `${slug}-${hash}`;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A folder that is gone or closed to us keeps its name.
    return resolve(folder);
  }
}
