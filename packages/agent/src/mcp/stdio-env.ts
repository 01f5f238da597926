/** Turns the agent's environment and a server's own into the one its process gets. */

/** What programs need to work at all, and what says nothing in confidence. */
const INHERITED = {
  posix: ["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"],
  windows: [
    ...[
      "APPDATA",
      "COMSPEC",
      "HOMEDRIVE",
      "HOMEPATH",
      "LOCALAPPDATA",
      "PATH",
      "PATHEXT",
      "PROCESSOR_ARCHITECTURE",
      "PROGRAMDATA",
      "PROGRAMFILES",
    ],
    ...["PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
  ],
} as const;

/**
 * Keys and tokens of the agent's environment do not reach a server unless its settings name them (`"env": {"TOKEN": "$TOKEN"}`).
 * A bash function in a variable is left out. On Windows names do not tell capitals from small letters.
 */
export function stdioEnv(
  parent: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
  platform = process.platform,
): Record<string, string> {
  const names = new Set<string>(platform === "win32" ? INHERITED.windows : INHERITED.posix);
  const isInherited = (name: string): boolean =>
    platform === "win32" ? names.has(name.toUpperCase()) : names.has(name) || name.startsWith("LC_");
  const inherited = Object.entries(parent).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isInherited(name) && !value.startsWith("()") ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(inherited), ...own };
}
