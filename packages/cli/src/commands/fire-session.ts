/** Turns the common fields of a given stdin object into what a session says: so a recorded event is fired as it was. */
import type { AgentIdentity, Dialect, JsonObject, SessionOptions } from "@carabiner/engine";

export interface SessionGiven {
  readonly options: SessionOptions;
  readonly agent: AgentIdentity | undefined;
}

/** Fields that the event itself has are its own. A permission mode is taken in the dialect's word. */
export function sessionOf(fields: JsonObject, own: readonly string[], dialect: Dialect): SessionGiven {
  const text = (key: string): string | undefined => {
    const value = Object.hasOwn(fields, key) && !own.includes(key) ? fields[key] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [id, cwd, transcriptPath, mode] = [text("session_id"), text("cwd"), text("transcript_path"), text("permission_mode")];
  const [agentId, agentType] = [text("agent_id"), text("agent_type")];
  return {
    options: {
      ...(id === undefined ? {} : { id }),
      ...(cwd === undefined ? {} : { cwd: () => cwd }),
      ...(transcriptPath === undefined ? {} : { transcriptPath }),
      ...(mode === undefined ? {} : { permissionMode: () => canonical(mode, dialect) }),
    },
    agent: agentId === undefined && agentType === undefined ? undefined : { id: agentId ?? "agent", type: agentType ?? "agent" },
  };
}

const canonical = (mode: string, { permissionModes }: Dialect): string =>
  Object.entries(permissionModes).find(([, word]) => word === mode)?.[0] ?? mode;
