/** What a command is: a name, a line for the help page, and the options and action it adds to a commander command. */
import type { Command } from "commander";
import type { Io } from "./io.ts";

/** The action's result is the exit code: 0 done, 1 findings or a problem the user can fix, others as the command's help says. */
export interface CommandModule {
  readonly define: (command: Command, io: Io, done: (code: number) => void) => void;
}
/** An entry of the roll-call; the module is loaded when its command is called or asked for help. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}
