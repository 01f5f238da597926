/** Prints what came of a firing: one JSON document, or text for people in one of three lengths. */
import type { Layer } from "@carabiner/engine";
import type { Io } from "../io.ts";
import {
  concerns,
  firedView,
  layersView,
  plainNames,
  problemsView,
  storyJson,
  storyView,
  type ViewOptions,
  whyNot,
  withNames,
  wrapped,
} from "../views/index.ts";
import type { FiredOnce } from "./fire-once.ts";

export interface WantedOutput {
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly whyNot?: string;
}

/** False: the hook that `--why-not` names is none. */
export function tellFired(fired: FiredOnce, layers: readonly Layer[], wanted: WantedOutput, io: Io, options: ViewOptions): boolean {
  const { story, outcome, problems, notes, stdin } = fired;
  const about = wanted.whyNot === undefined ? undefined : whyNot(story, wanted.whyNot, options);
  for (const note of notes) io.err(`${wrapped(`Note: ${note}`, options.columns).join("\n")}\n`);
  if (wanted.json) {
    const document = { outcome, record: storyJson(story), problems, ...(about ? { whyNot: about.text.trimEnd() } : {}) };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
    return about?.known ?? true;
  }
  if (about) {
    (about.known ? io.out : io.err)(about.text);
    return about.known;
  }
  io.out(wanted.explain ? storyView(story, { ...options, stdin }) : firedView(story, options));
  if (story.entries.length === 0) io.err(layersView(layers, { ...options, projectDir: story.projectDir }));
  tellProblems(fired, wanted.explain === true, io, options);
  if (io.isTTY.err && !wanted.explain) io.err("\nThe whole story: carabiner explain\n");
  return true;
}

/** What the story told already is left out; what concerns other events is counted. */
function tellProblems({ story, problems }: FiredOnce, isStoryTold: boolean, io: Io, options: ViewOptions): void {
  const told = new Set(isStoryTold ? story.fired.problems.map(({ what }) => what) : []);
  const untold = problems.filter(({ level, what }) => level !== "note" && !told.has(what));
  if (untold.length === 0) return;
  const here = untold.filter((one) => concerns(one, story.event));
  const named = (text: string): string => withNames(text, plainNames(story.entries), story.entries);
  const around = { projectDir: story.projectDir, home: options.home, columns: options.columns, colour: options.colour && io.isTTY.err };
  io.err(problemsView(here, around, untold.length - here.length, named));
}
