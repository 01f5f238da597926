/** Turns a handler's command into a program and its arguments, for the shell of the platform or for none. */
import type { CommandLine } from "./order.ts";
import { quoteOwnVariables } from "./own-variables.ts";
import { choosePowerShell, powerShellText } from "./powershell.ts";

/** The two kinds of handler that are processes: a line for a shell, or a program with arguments. */
export type CommandRunner =
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "exec"; readonly file: string; readonly args: readonly string[] };

/**
 * bash that reads no start-up file. `--norc`: as `-c` on a socket (a Node pipe is one) or under ssh it would read ~/.bashrc.
 * `-p`: BASH_ENV, ENV, SHELLOPTS, BASHOPTS and exported functions are not looked at.
 * Source: contracts, "Running"; the bash manual, "Bash Startup Files" and "The Set Builtin".
 */
export const BASH_OPTIONS = ["--norc", "--noprofile", "-p", "-c"] as const;

/**
 * What to execute for `runner` with `env`, the complete environment of the hook.
 *
 * Shell: `bash`, found through the PATH of `env`, on POSIX; PowerShell on Windows. `variables` are the names of the dialect's own variables
 * (`GEMINI_PROJECT_DIR`): written outside quotes they are one word whatever they contain. Their values never become part of the text.
 *
 * Exec: nothing parses the arguments, so `${NAME}` of an own variable, there and in the file name, is replaced by its value; every other
 * text stays as it is. Source: the study of Qoder CN, section 6.1.
 *
 * `isInstalled` answers whether Windows has a program; it is asked there only.
 */
export function commandLine(
  runner: CommandRunner,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string>>,
  variables: readonly string[],
  isInstalled: (program: string) => boolean = () => false,
): CommandLine {
  if (runner.kind === "exec") {
    const fill = (text: string): string =>
      text.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
        variables.includes(name) && Object.hasOwn(env, name) ? (env[name] ?? whole) : whole,
      );
    return { file: fill(runner.file), args: runner.args.map(fill), shown: [runner.file, ...runner.args].join(" ") };
  }
  const shown = runner.command;
  if (platform === "win32") {
    const { file, args } = choosePowerShell(env, isInstalled);
    return { file, args: [...args, powerShellText(runner.command, variables)], shown };
  }
  return { file: "bash", args: [...BASH_OPTIONS, quoteOwnVariables(runner.command, variables)], shown };
}
