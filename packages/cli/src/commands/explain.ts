/** `carabiner explain [id]`: tells the whole story of one firing, from the journal. */
import { plain, problemText } from "@carabiner/engine";
import { findFiring } from "@carabiner/engine/journal";
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { homePath, storyJson, storyView, viewOptions, whyNot } from "../views/index.ts";
import { journalDir } from "./log-place.ts";

interface ExplainWords {
  readonly json?: boolean;
  readonly whyNot?: string;
}

const HELP = `
Examples:
  carabiner explain                     the last firing
  carabiner explain 3f9c                the one whose id begins with 3f9c
  carabiner explain --why-not format    why "format" did not run or decide
  carabiner explain --json | jq '.entries[] | {name, status, why}'

The ids are those that \`carabiner log\` lists.

Exit codes:
  0    told
  1    there is no such firing, or no such hook`;

export const explain: CommandModule = {
  define: (command, io, done) => {
    command
      .argument("[id]", "the firing's id, the beginning of it, or last", "last")
      .option("--why-not <hook>", "only say why this hook did not run, or decide")
      .option("--json", "print the firing as one JSON object")
      .addHelpText("after", HELP)
      .action((id: string, words: ExplainWords) => done(runExplain(id, words, io)));
  },
};

function runExplain(id: string, words: ExplainWords, io: Io): number {
  const dir = journalDir(io);
  const { story, candidates, problems } = findFiring(dir, id);
  for (const problem of problems.slice(0, MAX_PROBLEMS)) io.err(`[WARNING] ${plain(problemText(problem))}\n`);
  if (!story) {
    io.err(notFound(id, candidates, homePath(dir, io.home)));
    return 1;
  }
  const options = viewOptions(io);
  const about = words.whyNot === undefined ? undefined : whyNot(story, words.whyNot, options);
  if (words.json) io.out(`${JSON.stringify({ ...storyJson(story), ...(about ? { whyNot: about.text.trimEnd() } : {}) }, null, 2)}\n`);
  else if (about) (about.known ? io.out : io.err)(about.text);
  else io.out(storyView(story, options));
  return (about?.known ?? true) ? 0 : 1;
}
const MAX_PROBLEMS = 3;
const MAX_CANDIDATES = 10;

function notFound(id: string, candidates: readonly string[], dir: string): string {
  if (candidates.length > 0) {
    const more = candidates.length > MAX_CANDIDATES ? `, and ${candidates.length - MAX_CANDIDATES} more` : "";
    return `Several firings begin with ${JSON.stringify(id)}: ${candidates.slice(0, MAX_CANDIDATES).join(", ")}${more}.\nGive more of the id.\n`;
  }
  if (id === "last") return emptyJournal(dir);
  return `There is no firing ${JSON.stringify(id)} in the journal (${dir}).\nList them with: carabiner log\n`;
}

export const emptyJournal = (dir: string): string =>
  `The journal is empty: no hook has run yet that was recorded in ${dir}.\nFire an event with: carabiner fire BeforeTool\n`;
