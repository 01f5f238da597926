/** What is examined: the engine of this folder, and the surroundings that hooks would find. */
import { dialectById, type Engine, type Entry, sanitise } from "@carabiner/engine";
import type { Io } from "../../io.ts";
import { listedHooks } from "../hooks-list.ts";
import { openProject } from "../trust-open.ts";

export interface Patient {
  readonly engine: Engine;
  readonly io: Io;
  readonly platform: NodeJS.Platform;
  /** PATH as the hooks of a dialect get it, after sanitising. */
  readonly pathOf: (dialect: string | undefined) => string;
  /** Hooks that run when their event and matcher fit. */
  readonly active: readonly Entry[];
}

export async function patientOf(io: Io): Promise<Patient> {
  const engine = await openProject(io);
  const { sanitising } = engine.snapshot();
  return {
    engine,
    io,
    platform: process.platform,
    active: listedHooks(engine).flatMap(({ entry, status }) => (status === "enabled" ? [entry] : [])),
    pathOf: (id = engine.dialects[0]?.id) => {
      const policy = (id === undefined ? undefined : sanitising.get(id)) ?? { enabled: true, allowed: [], blocked: [] };
      const strict = (id === undefined ? undefined : dialectById(id)?.sanitising.strict(io.env)) ?? false;
      return sanitise(io.env, { ...policy, strict }).env["PATH"] ?? "";
    },
  };
}
