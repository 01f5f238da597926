/** `carabiner hooks`: lists the configured hooks, switches them on and off, and adds new ones. */
import { closest } from "@carabiner/engine";
import { type Command, Option } from "commander";
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { oneLine, wrapped } from "../views/index.ts";
import type { AddWords } from "./hooks-add.ts";
import { DIALECT_IDS, DIALECT_OPTION } from "./hooks-engine.ts";
import { listHooks } from "./hooks-list.ts";
import { switchHooks } from "./hooks-switch.ts";
import { LANGUAGES } from "./starters/starter.ts";

const EXIT_CODES = `
Exit codes:
  0    done
  1    not done: a name, an event, an option or a settings file cannot be used`;

const ADD_HELP = `
The script is put beside the settings, in the folder hooks, and is yours to
edit. What it does to begin with fits the event: it refuses where something can
be refused, adds what can be added, and elsewhere keeps a log.

Examples:
  carabiner hooks add BeforeTool
  carabiner hooks add BeforeTool --matcher 'write_file|replace' --lang node
  carabiner hooks add SessionStart --scope user --name welcome`;

const scope = (): Option => new Option("--scope <scope>", "whose settings file to change").choices(["project", "user"]);

function noVerb(word: string, { commands }: Command, { err, columns }: Io): 1 {
  const verbs = commands.map((verb) => verb.name());
  const meant = closest(word, verbs);
  const text = `${JSON.stringify(oneLine(word))} is no command of carabiner hooks.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`} The commands are ${verbs.join(", ")}; the list takes no names.`;
  err(`${wrapped(text, columns).join("\n")}\n`);
  return 1;
}

export const hooks: CommandModule = {
  define: (command, io, done) => {
    command
      .command("list", { isDefault: true })
      .aliases(["show", "panel"])
      .description("List every configured hook, where it comes from, and whether it runs.")
      .option("--json", "print one JSON document: hooks and problems")
      .option(...DIALECT_OPTION)
      // It is what runs where the first word is no verb: such a word is named as what it is not.
      .allowExcessArguments()
      .action((words: { readonly json?: boolean; readonly dialect?: string }, { args: [word] }: Command) =>
        done(word === undefined ? listHooks(words, io) : noVerb(word, command, io)),
      );
    for (const [on, verb] of [
      [true, "enable"],
      [false, "disable"],
    ] as const) {
      command
        .command(verb)
        .description(on ? "Let a hook run again." : "Keep a hook from running.")
        .argument("<name>", "the hook's name, or its command where it has no name")
        .addOption(scope())
        .option(...DIALECT_OPTION)
        .action((name: string, words: { readonly scope?: "project" | "user"; readonly dialect?: string }) =>
          done(switchHooks({ ...words, on, name }, io)),
        );
      command
        .command(`${verb}-all`)
        .alias(`${verb}all`)
        .description(on ? "Let every hook run again." : "Keep every hook from running.")
        .addOption(scope())
        .option(...DIALECT_OPTION)
        .action((words: { readonly scope?: "project" | "user"; readonly dialect?: string }) => done(switchHooks({ ...words, on }, io)));
    }
    command
      .command("add")
      .description("Write a first script for an event, configure it, and try it.")
      .argument("<event>", "the event's name, in any product's words")
      .option("--matcher <pattern>", "the tools, or the kind of event, that it is for")
      .option("--name <name>", "what to call it")
      .addOption(new Option("--lang <language>", "what to write it in").choices(LANGUAGES))
      .addOption(scope())
      .option("--dialect <id>", `the product whose hook it is: ${DIALECT_IDS.join(", ")}`)
      .addHelpText("after", ADD_HELP)
      .action(async (event: string, words: Omit<AddWords, "event">) => {
        // Only this verb fires anything: the others need not load what does.
        const { addHook } = await import("./hooks-add.ts");
        done(await addHook({ ...words, event }, io));
      });
    command.addHelpText("after", EXIT_CODES);
  },
};
