/** Turns a command that runs another command (`sudo`, `bash -c`, `xargs`) into that other command, so that a deny rule sees through it. */

/** Options that take a value of their own, by the commands that run what follows them. */
const CARRIERS: Readonly<Record<string, readonly string[]>> = {
  sudo: [
    "-u",
    "-g",
    "-h",
    "-p",
    "-C",
    "-T",
    "-U",
    "-D",
    "-r",
    "-t",
    "--user",
    "--group",
    "--host",
    "--prompt",
    "--chdir",
    "--role",
    "--type",
  ],
  doas: ["-u", "-C"],
  pkexec: ["--user"],
  runuser: ["-u", "-g", "-G", "--user", "--group"],
  env: ["-u", "-C", "--unset", "--chdir"],
  command: [],
  builtin: [],
  exec: ["-a"],
  nohup: [],
  nice: ["-n", "--adjustment"],
  ionice: ["-c", "-n", "-p", "--class", "--classdata"],
  timeout: ["-s", "-k", "--signal", "--kill-after"],
  stdbuf: ["-i", "-o", "-e", "--input", "--output", "--error"],
  setsid: [],
  setpriv: [],
  unshare: [],
  chroot: [],
  flock: ["-w", "-E", "--timeout", "--conflict-exit-code"],
  taskset: [],
  chrt: ["-T", "-P", "-D"],
  busybox: [],
  caffeinate: ["-t", "-w"],
  strace: ["-a", "-b", "-e", "-E", "-I", "-o", "-O", "-p", "-P", "-s", "-S", "-u", "-X"],
  ltrace: ["-a", "-e", "-l", "-n", "-o", "-p", "-s", "-u", "-x"],
  watch: ["-n", "-q", "--interval", "--equexit"],
  parallel: ["-j", "--jobs", "-n", "--max-args", "-I", "-a", "--arg-file", "-d", "--delimiter", "-S", "--sshlogin"],
  xargs: [
    ...["-I", "-n", "-P", "-L", "-d", "-E", "-s", "-a"],
    ...["--max-args", "--max-procs", "--max-lines", "--max-chars", "--delimiter", "--arg-file"],
  ],
  time: ["-f", "-o", "--format", "--output"],
};
/** Words of their own that stand between options and command. */
const FIRST: Readonly<Record<string, number>> = { timeout: 1, chroot: 1, flock: 1, taskset: 1, chrt: 1 };
/** Commands that hand a text to a shell, behind this option. */
const SCRIPTED: Readonly<Record<string, RegExp>> = {
  su: /^(-[a-z]*c|--command)$/,
  runuser: /^(-[a-z]*c|--command)$/,
  script: /^(-[a-z]*c|--command)$/,
  flock: /^(-c|--command)$/,
  env: /^(-[a-z]*S|--split-string)$/,
};
/** Options in front of the subcommand that take a value: `git -C dir push` is a `git push`. */
const GLOBAL_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace"],
  npm: ["--prefix", "-C", "--workspace", "-w"],
  docker: ["--context", "-c", "--config", "-H", "--host", "-l", "--log-level"],
  kubectl: ["-n", "--namespace", "--context", "--cluster", "--kubeconfig"],
};
const SHELLS = new Set(["sh", "bash", "rbash", "dash", "zsh", "ksh", "ash", "fish"]);

/** What else runs when `words` run: commands as words, and scripts as text. Options are known for common commands only; no sandbox. */
export interface Nested {
  readonly commands: readonly (readonly string[])[];
  readonly scripts: readonly string[];
}

/** `input` are texts fed to the command: a shell reads its script from them. */
export function nested(words: readonly string[], input: readonly string[]): Nested {
  const name = (words[0] ?? "").replace(/^.*\//, "");
  const rest = words.slice(1);
  if (SHELLS.has(name)) {
    const flag = rest.findIndex((word) => /^-[a-zA-Z]*c/.test(word));
    const script = flag < 0 ? undefined : rest.slice(flag + 1).find((word) => word !== "--");
    return { commands: [], scripts: script === undefined ? input : [script, ...input] };
  }
  if (name === "eval") return { commands: [], scripts: [rest.join(" ")] };
  if (name === "trap") return { commands: [], scripts: rest.length < 2 || rest[0]?.startsWith("-") ? [] : rest.slice(0, 1) };
  const option = Object.hasOwn(SCRIPTED, name) ? SCRIPTED[name] : undefined;
  const given = option ? rest.findIndex((word) => option.test(word)) : -1;
  if (given >= 0) return { commands: [], scripts: rest.slice(given + 1, given + 2) };
  if (name === "find") {
    return { commands: rest.flatMap((word, i) => (/^-(exec|execdir|ok|okdir)$/.test(word) ? [rest.slice(i + 1)] : [])), scripts: [] };
  }
  const carried = Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined;
  if (carried) {
    const command = afterOptions(rest, carried);
    const first = FIRST[name];
    const inner = first === undefined ? command.slice(firstPlain(command)) : command.slice(first);
    // `watch` hands its words to a shell.
    if (name === "watch") return { commands: [], scripts: inner.length > 0 ? [inner.join(" ")] : [] };
    return { commands: inner.length > 0 ? [inner] : [], scripts: [] };
  }
  const global = Object.hasOwn(GLOBAL_OPTIONS, name) ? GLOBAL_OPTIONS[name] : undefined;
  const inner = global && rest[0]?.startsWith("-") ? afterOptions(rest, global) : [];
  return { commands: inner.length > 0 ? [[name, ...inner]] : [], scripts: [] };
}

function afterOptions(words: readonly string[], valued: readonly string[]): readonly string[] {
  let from = 0;
  while (words[from]?.startsWith("-")) {
    const word = words[from++] ?? "";
    if (word === "--") break;
    if (valued.includes(word)) from++;
  }
  return words.slice(from);
}

/** Past the assignments of `env A=1 command`. */
const firstPlain = (words: readonly string[]): number => {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return at < 0 ? words.length : at;
};

/** What a command prints that only prints: the text that a shell behind a pipe reads. */
export function printed(words: readonly string[]): readonly string[] {
  const name = (words[0] ?? "").replace(/^.*\//, "");
  if (name !== "echo" && name !== "printf") return [];
  const texts = words.slice(1).map((word) => word.replaceAll("\\n", "\n"));
  return texts.length > 1 ? [texts.join(" "), ...texts] : texts;
}
