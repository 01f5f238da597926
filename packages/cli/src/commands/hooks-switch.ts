/** `carabiner hooks enable|disable|enable-all|disable-all`: changes the list in a settings file, and says what changed and what still counts. */
import { type Enablement, type Entry, problemText, type Scope } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { oneLine, shortPath, wrapped } from "../views/index.ts";
import { openEngine } from "./hooks-engine.ts";

export interface SwitchWords {
  readonly on: boolean;
  /** Absent: every hook. */
  readonly name?: string;
  readonly scope?: Scope;
  readonly dialect?: string;
}

export function switchHooks({ on, name, scope, dialect }: SwitchWords, io: Io): number {
  const opened = openEngine(io, dialect);
  if (!opened.ok) return refuse(io, [opened.problem]);
  const { engine } = opened;
  const count = engine.hooks().length;
  if (name === undefined && count === 0) {
    say(io, ["No hooks are configured; nothing changed."]);
    return 0;
  }
  const how = scope === undefined ? {} : { scope };
  const result = name === undefined ? engine.setAllEnabled(on, how) : engine.setEnabled(name, on, how);
  const title = name === undefined ? (count === 1 ? "The one configured hook" : `All ${count} hooks`) : JSON.stringify(oneLine(name));
  return tell(result, { on, title, entries: engine.hooks(), projectDir: engine.projectDir }, io);
}

interface About {
  readonly on: boolean;
  readonly title: string;
  /** As they are now. */
  readonly entries: readonly Entry[];
  readonly projectDir: string;
}

function tell(result: Enablement, { on, title, entries, projectDir }: About, io: Io): number {
  const short = (path: string): string => shortPath(path, { projectDir, home: io.home });
  switch (result.kind) {
    case "unknown":
      return refuse(io, [
        `No hook is called ${JSON.stringify(oneLine(result.name))}.`,
        ...(result.known.length === 0
          ? ["No hooks are configured. `carabiner init` writes a first one."]
          : ["The hooks here are:", ...result.known.map((known) => `  ${oneLine(known)}`)]),
      ]);
    case "noScope":
      return refuse(io, [
        `There is no ${result.scope} settings file here${result.scope === "project" ? ": this folder is your home, whose file is the user's" : ""}.`,
        `Scopes here: ${result.known.filter((one) => one === "project" || one === "user").join(", ")}.`,
      ]);
    case "refused":
      return refuse(io, [...result.problems.map(problemText), ...result.changed.map(({ file }) => `${short(file)} was changed.`)]);
    case "done": {
      const is = title.startsWith("All") ? "are" : "is";
      const files = result.changed.map(({ file, scope }) => `  ${on ? "taken out of" : "added to"} the list in ${short(file)} (${scope})`);
      const still = result.stillDisabledBy.map(({ file, scope, key }) => `  ${key} in ${short(file)} (${scope})`);
      const running = entries.filter(({ id }) => result.stillEnabled.includes(id)).map(({ name }) => `  ${oneLine(name)}`);
      const state = `${title} ${is} ${result.already ? "already " : ""}switched ${on ? "on" : "off"}${result.already ? "; nothing changed" : ""}.`;
      if (still.length > 0)
        say(io, [
          `${title} ${is} still switched off by:`,
          ...still,
          ...(files.length > 0 ? ["Changed:", ...files] : []),
          "Take it out there, or ask whoever keeps that file.",
        ]);
      else if (running.length > 0)
        say(io, [
          "Hooks of the administrator's run on; only the system's settings switch them off:",
          ...running,
          ...(files.length > 0 ? ["Switched off are the others:", ...files] : []),
        ]);
      else say(io, [state, ...files]);
      return still.length > 0 || running.length > 0 ? 1 : 0;
    }
  }
}

function say({ out, columns }: Io, lines: readonly string[]): void {
  out(`${lines.flatMap((line) => wrapped(line, columns)).join("\n")}\n`);
}
function refuse({ err, columns }: Io, lines: readonly string[]): 1 {
  err(`${lines.flatMap((line) => wrapped(line, columns)).join("\n")}\n`);
  return 1;
}
