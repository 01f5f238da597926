/** The command line: finds the command, loads it alone, and turns what it says into an exit code. */
import { closest, plain } from "@carabiner/engine";
import { Command, CommanderError } from "commander";
import type { CommandEntry } from "./command.ts";
import { AGENT, COMMANDS } from "./commands/index.ts";
import type { Io } from "./io.ts";
import { VERSION } from "./version.ts";

/** Never rejects: a bug of ours is 3, and says so. Wrong usage is 1, and 42 for the agent, whose input it is. */
export async function main(given: readonly string[], io: Io): Promise<number> {
  const argv = asksForHelp(given) ? [...given.slice(1), "--help"] : given;
  const entry = COMMANDS.find(({ name }) => name === argv[0]);
  const meant =
    entry || argv.length !== 1
      ? undefined
      : closest(
          argv[0] ?? "",
          COMMANDS.map(({ name }) => name),
        );
  if (meant !== undefined) io.err(`"${plain(argv[0] ?? "")}" is taken as a prompt. For the command: carabiner ${meant}\n`);
  try {
    return await run(entry ?? AGENT, entry ? argv.slice(1) : argv, io);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : entry ? 1 : 42;
    io.err(
      `carabiner: this is a bug in carabiner ${VERSION}; please report it with the lines below.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return 3;
  }
}

/** `help`, alone or before a command: nobody means it as a prompt. */
const asksForHelp = ([first, second, ...more]: readonly string[]): boolean =>
  first === "help" && more.length === 0 && (second === undefined || COMMANDS.some(({ name }) => name === second));

async function run(entry: CommandEntry, argv: readonly string[], io: Io): Promise<number> {
  const name = entry === AGENT ? entry.name : `${AGENT.name} ${entry.name}`;
  const command = new Command(name)
    .description(entry.summary)
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: wrongUsage(name),
    });
  let code = 0;
  (await entry.load()).define(command, io, (result) => {
    code = result;
  });
  for (const verb of command.commands) verb.configureOutput({ outputError: wrongUsage(`${name} ${verb.name()}`) });
  if (entry === AGENT) {
    command.version(VERSION, "-v, --version");
    command.addHelpText(
      "after",
      `\nCommands:\n${COMMANDS.map((one) => `  ${one.name.padEnd(14)}${one.summary}`).join("\n")}\n\n  carabiner <command> --help tells more of each.`,
    );
  }
  await command.parseAsync([...argv], { from: "user" });
  return code;
}

/** What commander says of wrong usage is one line; where to read on is ours to say. */
const wrongUsage =
  (name: string) =>
  (text: string, write: (text: string) => void): void =>
    write(`${text.trimEnd()}\n${name} --help says what there is.\n`);

export { processIo } from "./io.ts";
