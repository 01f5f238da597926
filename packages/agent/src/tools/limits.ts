/** The bounds that hold for tools when nobody sets others. */
import type { ToolLimits } from "./tool.ts";

/** Two minutes a command, 64 KiB of its output, 2,000 lines a read, public web addresses only. */
export const DEFAULT_LIMITS: ToolLimits = {
  shellTimeoutMs: 120_000,
  maxShellTimeoutMs: 600_000,
  killGraceMs: 1_000,
  maxOutputBytes: 64 * 1024,
  maxTextBytes: 256 * 1024,
  maxLines: 2_000,
  maxLineChars: 2_000,
  maxFileBytes: 20 * 1024 * 1024,
  maxMediaBytes: 10 * 1024 * 1024,
  maxFiles: 1_000,
  maxMatches: 100,
  searchTimeoutMs: 20_000,
  maxFetchBytes: 2 * 1024 * 1024,
  fetchTimeoutMs: 15_000,
  allowPrivateAddresses: false,
};
