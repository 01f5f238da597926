/** `carabiner trust`: shows what this project's hooks run, and takes the user's word on them and on the folder. */
import type { CommandModule } from "../command.ts";
import { decideTrust } from "./trust-decide.ts";
import { listTrust } from "./trust-list.ts";

const HELP = `
A project's hooks run programs on your machine. A hook is approved exactly as
it is: when its definition or a script it names changes, it is to be approved
again. Hooks of your own settings and of the system's need no approval.

--folder is about the folder as a whole. In a folder that is not trusted no
hook, setting or context file of the project counts.

Exit codes:
  0    done
  1    not done: a name is unknown, you said no, or the store cannot be written`;

export interface TrustWords {
  readonly folder?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

export const trust: CommandModule = {
  define: (command, io, done) => {
    command
      .command("list", { isDefault: true })
      .description("List this project's hooks in full, and what you have said about them.")
      .argument("[names...]", "only these hooks")
      .option("--json", "print one JSON document: folder and hooks")
      .action(async (names: readonly string[], words: TrustWords) => done(await listTrust(names, words, io)));
    command
      .command("approve")
      .description("Approve hooks as they are now; without names, all that are not approved.")
      .argument("[names...]", "only these hooks")
      .option("--folder", "trust the folder, instead of approving hooks")
      .option("-y, --yes", "do not ask again")
      .option("--json", "print one JSON document")
      .action(async (names: readonly string[], words: TrustWords) => done(await decideTrust("approve", names, words, io)));
    command
      .command("revoke")
      .description("Take approvals back; without names, all of this project's.")
      .argument("[names...]", "only these hooks")
      .option("--folder", "do not trust the folder")
      .option("-y, --yes", "do not ask again")
      .option("--json", "print one JSON document")
      .action(async (names: readonly string[], words: TrustWords) => done(await decideTrust("revoke", names, words, io)));
    command.addHelpText("after", HELP);
  },
};
