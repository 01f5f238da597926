/** A second dialect, as a table: the columns in which it differs from Gemini CLI are those the settings room reads. */
import type { AnyRow, Dialect } from "../../src/dialects/index.ts";
import { gemini } from "./machine.ts";

const like = (name: string, change: Partial<Pick<AnyRow, "matcher" | "failClosed" | "exit2">> = {}): AnyRow => {
  const row = gemini.rows[name];
  if (row === undefined) throw new Error(`there is no row ${name}`);
  return { ...row, ...change } as AnyRow;
};

export const other: Dialect = {
  ...gemini,
  id: "other",
  title: "Other CLI",
  layers: [
    { scope: "local", file: ({ cwd }) => `${cwd}/.other/settings.local.json` },
    { scope: "project", file: ({ cwd }) => `${cwd}/.other/settings.json` },
    { scope: "user", file: ({ home }) => `${home}/.other/settings.json` },
  ],
  scalarOrder: ["local", "project", "user"],
  lookalikes: [{ file: ({ home }) => `${home}/.another/settings.json`, says: "User hooks are read from ~/.other/settings.json." }],
  switches: {
    allOff: [{ at: "disableAllHooks", is: true }],
    names: "hooksConfig.disabled",
    legacy: [],
    notEvents: [],
    notifications: "hooksConfig.notifications",
  },
  groupKeys: ["matcher", "sequential", "async", "hooks"],
  handlerKeys: ["type", "command", "args", "timeout", "if", "name", "env", "async", "once"],
  handlerTypes: { command: "run", http: "unsupported" },
  sameHook: ["command", "args"],
  conditions: "toolGlob",
  timeout: { unitMs: 1000, unit: "seconds", defaultMs: 60_000, suspect: { above: 3600 } },
  expands: { settingsStrings: false, inArgs: ["OTHER_PROJECT_DIR"], extension: false },
  notFiredHere: ["FileChanged"],
  folderTrust: { variable: undefined, off: undefined, store: undefined },
  environment: { OTHER_PROJECT_DIR: "projectDir" },
  rows: {
    PreToolUse: like("BeforeTool", { matcher: { as: "namesElseRegex" } }),
    Stop: like("AfterAgent", { failClosed: false, exit2: "deny" }),
    SessionStart: like("SessionStart", { matcher: { as: "namesElseRegex", known: ["startup", "resume", "compact", "clear"] } }),
  },
};
