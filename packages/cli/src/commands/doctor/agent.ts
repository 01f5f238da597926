/** Examines what the agent needs besides hooks: Node, a model, MCP servers. */
import { chooseModel, loadEnvFile, profileOf, readServers } from "@carabiner/agent";
import { homePath, oneLine } from "../../views/index.ts";
import { findProgram } from "./find-program.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";
import type { Patient } from "./patient.ts";

const AREA = "Agent";

export function examineAgent(patient: Patient, version: string = process.versions.node): readonly Finding[] {
  return [nodeFinding(version), ...modelFindings(patient), ...serverFindings(patient)];
}

/** Source: "engines" of this package. */
function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok(AREA, `Node ${version}`)
    : error(AREA, `Node ${version} is too old.`, "Install Node 20.19 or newer.");
}

function modelFindings({ engine, io }: Patient): readonly Finding[] {
  const profile = profileOf(engine.dialects[0]?.id ?? "");
  const env = { ...io.env };
  const loaded = engine.folder().trusted === false ? undefined : loadEnvFile(profile, { cwd: io.cwd, home: io.home, env }, env);
  const setting = engine.setting(profile.settings.modelName);
  const chosen = chooseModel({ setting: typeof setting === "string" ? setting : undefined, env, cwd: io.cwd });
  const from = loaded === undefined || loaded.added.length === 0 ? "" : ` (with ${homePath(loaded.file, io.home)})`;
  if (chosen.ok) return [ok(AREA, `Model: ${chosen.model.name}${from}`)];
  const [first = "", ...rest] = chosen.message.split("\n");
  return [note(AREA, `Hooks need no model, the agent does. ${first}`, rest.map((line) => line.trim()).join("\n") || undefined)];
}

function serverFindings({ engine, io, platform }: Patient): readonly Finding[] {
  const profile = profileOf(engine.dialects[0]?.id ?? "");
  const { servers, problems } = readServers(engine.setting(profile.settings.mcpServers), "settings");
  return [
    ...(servers.length + problems.length === 0 ? [note(AREA, "No MCP servers are configured.")] : []),
    ...problems.map(({ what, now, todo }) => warning(AREA, `${oneLine(what)} ${now}`, todo)),
    ...servers.map(({ name, reach }): Finding => {
      if (reach.type === "http") return ok(AREA, `MCP server ${oneLine(name)}: ${new URL(reach.url).origin}`);
      const path = reach.env["PATH"] ?? io.env["PATH"] ?? "";
      const isFound = reach.command.includes("/")
        ? (findProgram(reach.command, path, platform) ?? (reach.command.startsWith(".") ? reach.command : undefined))
        : findProgram(reach.command, path, platform, io.env["PATHEXT"]);
      return isFound !== undefined
        ? ok(AREA, `MCP server ${oneLine(name)}: ${oneLine([reach.command, ...reach.args].join(" "))}`)
        : warning(
            AREA,
            `MCP server ${oneLine(name)}: there is no ${oneLine(reach.command)}, so that it does not start.`,
            "Install it, or correct its command in mcpServers.",
          );
    }),
  ];
}
