/** Turns the words of the command line into the flags of an agent, or into what is wrong with them. */
import { type AgentFlags, MODE_WORDS, type Mode, parseMode } from "@carabiner/agent";
import { DIALECTS } from "@carabiner/engine";

export const FORMATS = ["text", "json", "stream-json"] as const;
export type Format = (typeof FORMATS)[number];

/** As commander hands them over. */
export interface AgentWords {
  readonly prompt?: string;
  readonly model?: string;
  readonly outputFormat?: string;
  readonly yolo?: boolean;
  readonly approvalMode?: string;
  readonly fakeResponses?: string;
  readonly fakeResponsesNonStrict?: string;
  readonly resume?: string | true;
  readonly listSessions?: boolean;
  readonly maxTurns?: string;
  readonly settings?: readonly string[];
  readonly skipTrust?: boolean;
  readonly allowedTools?: readonly string[];
  readonly includeDirectories?: readonly string[];
  readonly dialect?: string;
  readonly allowPrivateAddresses?: boolean;
}
export type ReadWords =
  | { readonly ok: true; readonly flags: AgentFlags; readonly format: Format }
  | { readonly ok: false; readonly problem: string };

export function readWords(words: AgentWords): ReadWords {
  const bad = (flag: string, found: string, expected: string): ReadWords => ({
    ok: false,
    problem: `${flag} ${JSON.stringify(found)}: expected ${expected}.`,
  });
  const format = FORMATS.find((one) => one === (words.outputFormat ?? "text"));
  if (!format) return bad("--output-format", words.outputFormat ?? "", FORMATS.join(", "));
  const mode = modeOf(words);
  if (typeof mode === "object") return bad("--approval-mode", mode.unknown, Object.values(MODE_WORDS).join(", "));
  const maxTurns = words.maxTurns === undefined ? undefined : Number(words.maxTurns);
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns > 0))
    return bad("--max-turns", words.maxTurns ?? "", "a whole number from 1");
  const dialects = words.dialect?.split(",").map((id) => id.trim());
  const unknown = dialects?.find((id) => !DIALECTS.some((dialect) => dialect.id === id));
  if (unknown !== undefined) return bad("--dialect", unknown, `one or more of ${DIALECTS.map(({ id }) => id).join(", ")}`);
  const fakeResponses = words.fakeResponses ?? words.fakeResponsesNonStrict;
  return {
    ok: true,
    format,
    flags: {
      model: words.model,
      fakeResponses,
      fakeResponsesStrict: words.fakeResponsesNonStrict === undefined,
      mode,
      maxTurns,
      resume: words.resume === true ? "latest" : words.resume,
      settingsFiles: words.settings,
      skipTrust: words.skipTrust,
      allowedTools: words.allowedTools,
      includeDirectories: words.includeDirectories,
      dialects,
      allowPrivateAddresses: words.allowPrivateAddresses,
    },
  };
}

function modeOf({ yolo, approvalMode }: AgentWords): Mode | undefined | { readonly unknown: string } {
  if (approvalMode === undefined) return yolo ? "yolo" : undefined;
  return parseMode(approvalMode) ?? { unknown: approvalMode };
}
