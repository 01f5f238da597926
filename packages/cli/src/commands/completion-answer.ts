/** Turns the words typed so far into the words that may come next, one a line. */
import { RootCommand, type Command as TabCommand } from "@bomb.sh/tab";
import { Command } from "commander";
import type { CommandEntry } from "../command.ts";
import type { Io } from "../io.ts";
import { printed } from "./completion-printed.ts";
import { type Offer, plainOffers, valuesFor } from "./completion-values.ts";

/** `words`: what stands after `carabiner`; the last is the one to complete, and may be empty. Only the command they name is loaded. */
export async function answer(words: readonly string[], commands: readonly CommandEntry[], agent: CommandEntry, io: Io): Promise<string> {
  const root = new RootCommand();
  for (const { name, summary } of commands) root.command(name, summary);
  const named = words.length > 1 ? commands.find(({ name }) => name === words[0]) : undefined;
  const values = await valuesFor(words, io);
  const described = new Command((named ?? agent).name);
  (await (named ?? agent).load()).define(described, io, () => undefined);
  if (named) add(described, named.name, root, root.command(named.name, named.summary), values);
  else addOptions(described, root, values);
  return printed(() => root.parse([...words]));
}

type Lookup = (name: string) => readonly Offer[] | undefined;

function add(command: Command, path: string, root: RootCommand, tab: TabCommand, values: Lookup): void {
  addOptions(command, tab, values);
  for (const argument of command.registeredArguments) {
    const choices = argument.argChoices?.map((value) => ({ value, says: "" }));
    tab.argument(argument.name(), (offer) => give(choices ?? values(argument.name()) ?? [], offer), argument.variadic);
  }
  for (const child of command.createHelp().visibleCommands(command)) {
    if (child.name() === "help") continue;
    const childPath = `${path} ${child.name()}`;
    add(child, childPath, root, root.command(childPath, child.description()), values);
  }
}

function addOptions(command: Command, tab: TabCommand, values: Lookup): void {
  for (const option of command.createHelp().visibleOptions(command)) {
    const name = option.long?.slice(2);
    if (name === undefined) continue;
    const short = option.short?.slice(1);
    if (!option.required && !option.optional) {
      tab.option(name, option.description, short ?? "");
      continue;
    }
    const choices = option.argChoices?.map((value) => ({ value, says: "" }));
    tab.option(name, option.description, (offer) => give(choices ?? values(name) ?? [], offer), short ?? "");
  }
}

function give(offers: readonly Offer[], offer: (value: string, says: string) => void): void {
  for (const { value, says } of plainOffers(offers)) offer(value, says);
}
