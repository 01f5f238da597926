/** Turns the telemetry settings and the variables over them into what is written, and where. */
import { isAbsolute, join } from "node:path";
import type { Json } from "@carabiner/engine";

export interface TelemetrySettings {
  /** Absolute; `undefined`: nothing is written. */
  readonly outfile: string | undefined;
  /** False keeps contents and command lines out everywhere. */
  readonly logPrompts: boolean;
}
/** The names of the variables that override the settings. */
export interface TelemetryVariables {
  readonly enabled: string;
  readonly outfile: string;
  readonly logPrompts: string;
}

/** Each value from the strongest layer that has it. Only `enabled` with an `outfile` writes anything: nothing is ever sent to anybody. Source: the study of Gemini CLI, TEL-1, TEL-6 and TEL-10. */
export function telemetrySettings(
  setting: (key: "enabled" | "outfile" | "logPrompts") => Json | undefined,
  names: TelemetryVariables,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): TelemetrySettings {
  const written = setting("outfile");
  const enabled = flag(env[names.enabled]) ?? setting("enabled") === true;
  const outfile = env[names.outfile] || (typeof written === "string" && written !== "" ? written : undefined);
  const logPrompts = flag(env[names.logPrompts]) ?? setting("logPrompts") !== false;
  const path = outfile === undefined || isAbsolute(outfile) ? outfile : join(cwd, outfile);
  return { outfile: enabled ? path : undefined, logPrompts };
}

function flag(value: string | undefined): boolean | undefined {
  if (value === undefined || value === "") return undefined;
  return value === "true" || value === "1";
}
