/** `carabiner completion`: a script that teaches a shell to complete commands, options, hooks and events. */
import { basename } from "node:path";
import { script } from "@bomb.sh/tab";
import { Argument } from "commander";
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { answer } from "./completion-answer.ts";
import { BASH } from "./completion-bash.ts";
import { printed } from "./completion-printed.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const HELP = `
Try it in the shell you are in:
  bash   source <(carabiner completion bash)
  zsh    source <(carabiner completion zsh)     (after compinit)
  fish   carabiner completion fish | source

Keep it:
  bash   carabiner completion bash > \\
           ~/.local/share/bash-completion/completions/carabiner
  zsh    carabiner completion zsh > ~/.zsh/completions/_carabiner
           and in ~/.zshrc, before compinit: fpath=(~/.zsh/completions $fpath)
  fish   carabiner completion fish > ~/.config/fish/completions/carabiner.fish`;

export const completion: CommandModule = {
  define: (command, io, done) => {
    command
      // Else the hidden one below shows through as a command that could be given.
      .usage("[options] [shell]")
      .addArgument(new Argument("[shell]", "default: the shell in the variable SHELL").choices(SHELLS))
      .addHelpText("after", HELP)
      .action((shell: Shell | undefined) => done(print(shell, io)));
    command
      .command("complete", { hidden: true })
      .argument("[words...]")
      .action(async (words: readonly string[]) => {
        const { AGENT, COMMANDS } = await import("./index.ts");
        // A shell asks at every press of a key, and reads nothing but the answer.
        io.out(await answer(words, COMMANDS, AGENT, io));
        done(0);
      });
  },
};

function print(given: Shell | undefined, io: Io): number {
  const shell = given ?? SHELLS.find((one) => one === basename(io.env["SHELL"] ?? ""));
  if (shell === undefined) {
    io.err(`Say for which shell: carabiner completion ${SHELLS.join("|")}\n`);
    return 1;
  }
  io.out(SCRIPTS[shell]());
  if (io.isTTY.out) io.err(`\nThis is the script. ${HOW[shell]}\n`);
  return 0;
}

const HOW: Readonly<Record<Shell, string>> = {
  bash: "To use it now: source <(carabiner completion bash)",
  zsh: "To use it now, after compinit: source <(carabiner completion zsh)",
  fish: "To use it now: carabiner completion fish | source",
};

const SCRIPTS: Readonly<Record<Shell, () => string>> = {
  bash: () => BASH,
  // zsh finds a completion by its first line.
  zsh: () =>
    printed(() => script("zsh", "carabiner", "carabiner completion")).replace(
      "\n",
      `\n# ${HOW.zsh}\n# To keep it: see carabiner completion --help\n`,
    ),
  fish: () =>
    `# ${HOW.fish}\n# To keep it: see carabiner completion --help\n${printed(() => script("fish", "carabiner", "carabiner completion"))}`,
};
