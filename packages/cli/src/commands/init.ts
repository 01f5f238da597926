/** `carabiner init`: a first hook for this project, in one command. */
import { Option } from "commander";
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { shortPath, wrapped } from "../views/index.ts";
import { nextSteps, writeHook } from "./hooks-add.ts";
import { DIALECT_IDS, openEngine } from "./hooks-engine.ts";
import { LANGUAGES, type Language } from "./starters/index.ts";

interface InitWords {
  readonly lang?: Language;
  readonly dialect?: string;
}

const NAME = "no-root-deletion";

const HELP = `
Writes a script that refuses shell commands which delete recursively from an
absolute path, the entry for it in this project's settings, and tries both.
Nothing else in the settings changes. For other events:
carabiner hooks add --help

Exit codes:
  0    done
  1    not done: the project has this hook already, or a file cannot be written`;

export const init: CommandModule = {
  define: (command, io, done) => {
    command
      .addOption(new Option("--lang <language>", "what to write it in").choices(LANGUAGES))
      .option("--dialect <id>", `the product whose hook it is: ${DIALECT_IDS.join(", ")}`)
      .addHelpText("after", HELP)
      .action(async (words: InitWords) => done(await runInit(words, io)));
  },
};

async function runInit(words: InitWords, io: Io): Promise<number> {
  const refuse = (text: string): number => {
    io.err(`${wrapped(text, io.columns).join("\n")}\n`);
    return 1;
  };
  const opened = openEngine(io, words.dialect);
  if (!opened.ok) return refuse(opened.problem);
  const { engine } = opened;
  const there = engine.hooks().find(({ name }) => name === NAME);
  if (there) {
    const place = there.place === undefined ? "" : ` in ${shortPath(there.place.file, { projectDir: engine.projectDir, home: io.home })}`;
    return refuse(
      `There is a hook ${NAME}${place} already; nothing was changed. \`carabiner hooks list\` shows it; \`carabiner hooks add --help\` says how to add others.`,
    );
  }
  // Tools are called beforehand in every product: the canonical name is a word for it in each.
  const added = await writeHook({ ...words, event: "beforeTool", name: NAME }, io);
  if (typeof added === "string") return refuse(added);
  io.out(`${nextSteps(added).join("\n")}\n`);
  return 0;
}
