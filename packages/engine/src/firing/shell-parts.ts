/** Turns a shell command into its parts: every simple command that would run, wherever it stands in the text. */
import { nested, printed } from "./shell-nested.ts";
import { type ScannedCommand, type ShellWord, scanShell } from "./shell-scan.ts";

/**
 * One simple command. `words` have their quotes removed and no redirections; `assignments` are the `X=1` in front of it; `writes` says that
 * its output goes to a file. `outer` is the command that runs this one (`sudo rm`, `bash -c '...'`), which is a part of its own.
 */
export interface ShellPart {
  readonly words: readonly string[];
  readonly assignments: readonly string[];
  readonly writes: boolean;
  readonly outer?: readonly string[];
}

/** `complete` is false when the text is not complete shell: the parts are then a guess, good enough to deny by and not to allow by. */
export interface ShellParts {
  readonly complete: boolean;
  readonly parts: readonly ShellPart[];
}

/**
 * Splits at `&&`, `||`, `;`, `|`, `&`, line ends, and looks into subshells, groups, `$(...)`, backticks, process substitutions and
 * here-documents, and texts that a shell is fed. This is a guard rail and not a sandbox: a command that computes another command's name goes unseen.
 */
export function shellParts(command: string): ShellParts {
  const scanned = scanShell(command);
  if (!scanned) return { complete: false, parts: roughParts(command) };
  const parts = scanned.map((one) => part(one));
  return { complete: true, parts: [...parts, ...scanned.flatMap((one, i) => within(parts[i], inputOf(one, 0), 0))] };
}

const MAX_NESTING = 8;

function within(outer: ShellPart | undefined, input: readonly string[], depth: number): readonly ShellPart[] {
  if (!outer || depth > MAX_NESTING) return [];
  const { commands, scripts } = nested(outer.words, input);
  const found = commands.map((words): ShellPart => ({ words, assignments: [], writes: false, outer: outer.words }));
  const fromScripts = scripts.flatMap((script) => {
    const scanned = scanShell(script);
    return scanned
      ? scanned.map((one) => ({ one: { ...part(one), outer: outer.words }, more: inputOf(one, 0) }))
      : roughParts(script).map((one) => ({ one: { ...one, outer: outer.words }, more: [] }));
  });
  return [
    ...found.flatMap((one) => [one, ...within(one, input, depth + 1)]),
    ...fromScripts.flatMap(({ one, more }) => [one, ...within(one, more, depth + 1)]),
  ];
}

/** Texts that a command reads: its here-documents, and what stands before it in a pipe, as far as that is written out. */
function inputOf({ scripts, from }: ScannedCommand, depth: number): readonly string[] {
  if (!from || depth > MAX_NESTING) return scripts;
  return [...scripts, ...printed(part(from).words), ...inputOf(from, depth + 1)];
}

function part(command: ScannedCommand): ShellPart {
  const first = command.words.findIndex((word) => !isAssignment(word));
  const from = first < 0 ? command.words.length : first;
  const text = command.words.map((word) => word.text);
  return { assignments: text.slice(0, from), words: text.slice(from), writes: command.writes };
}

const isAssignment = (word: ShellWord): boolean => {
  const name = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.exec(word.text)?.[0];
  return name !== undefined && name.length <= word.bare;
};

const roughParts = (command: string): readonly ShellPart[] =>
  command
    .split(/[;&|()\n`]+/)
    .map((piece) =>
      piece
        .replace(/["'\\]/g, "")
        .trim()
        .split(/\s+/),
    )
    .filter((words) => words[0] !== "")
    .map((words) => ({ words, assignments: [], writes: true }));
