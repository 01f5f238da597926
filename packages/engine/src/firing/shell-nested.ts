/** Turns a command that runs another command (`sudo`, `bash -c`, `xargs`) into that other command, so that a deny rule sees through it. */

/** Options that take a value of their own, by the commands that run what follows them. */
const CARRIERS: Readonly<Record<string, readonly string[]>> = {
  sudo: ["-u", "-g", "-h", "-p", "-C", "-T", "-U", "-D", "-r", "-t"],
  doas: ["-u", "-C"],
  env: ["-u", "-C", "--unset", "--chdir"],
  command: [],
  builtin: [],
  exec: ["-a"],
  nohup: [],
  nice: ["-n", "--adjustment"],
  ionice: ["-c", "-n", "-p"],
  timeout: ["-s", "-k", "--signal", "--kill-after"],
  stdbuf: ["-i", "-o", "-e"],
  setsid: [],
  xargs: ["-I", "-n", "-P", "-L", "-d", "-E", "-s", "-a"],
  time: ["-f", "-o"],
};
/** Options in front of the subcommand that take a value: `git -C dir push` is a `git push`. */
const GLOBAL_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace"],
  npm: ["--prefix", "-C", "--workspace", "-w"],
  docker: ["--context", "-c", "--config", "-H", "--host", "-l", "--log-level"],
  kubectl: ["-n", "--namespace", "--context", "--cluster", "--kubeconfig"],
};
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);

/** What else runs when `words` run: commands as words, and scripts as text. Options are known for common commands only; no sandbox. */
export interface Nested {
  readonly commands: readonly (readonly string[])[];
  readonly scripts: readonly string[];
}

/** `input` are the here-documents fed to the command: a shell reads its script from them. */
export function nested(words: readonly string[], input: readonly string[]): Nested {
  const name = (words[0] ?? "").replace(/^.*\//, "");
  const rest = words.slice(1);
  if (SHELLS.has(name)) {
    const flag = rest.findIndex((word) => /^-[a-zA-Z]*c/.test(word));
    const script = flag < 0 ? undefined : rest[flag + 1];
    return { commands: [], scripts: script === undefined ? input : [script, ...input] };
  }
  if (name === "eval") return { commands: [], scripts: [rest.join(" ")] };
  if (name === "find") {
    return { commands: rest.flatMap((word, i) => (/^-(exec|execdir|ok|okdir)$/.test(word) ? [rest.slice(i + 1)] : [])), scripts: [] };
  }
  const carried = Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined;
  if (carried) {
    const command = afterOptions(rest, carried);
    const inner = name === "timeout" ? command.slice(1) : command.slice(firstPlain(command));
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
