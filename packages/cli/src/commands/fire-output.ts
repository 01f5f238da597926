/** Prints what came of a firing: one JSON document, or text for people in one of three lengths. */
import type { Layer } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { concerns, firedView, layersView, problemsView, storyJson, storyView, type ViewOptions, whyNot } from "../views/index.ts";
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
  for (const note of notes) io.err(`Note: ${note}\n`);
  if (wanted.json) {
    const document = { outcome, record: storyJson(story), problems, ...(about ? { whyNot: about.text.trimEnd() } : {}) };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
    return about?.known ?? true;
  }
  if (about) (about.known ? io.out : io.err)(about.text);
  else io.out(wanted.explain ? storyView(story, { ...options, stdin }) : firedView(story, options));
  const around = { projectDir: story.projectDir, home: options.home, columns: options.columns };
  if (story.entries.length === 0) io.err(layersView(layers, around));
  const told = new Set(wanted.explain ? story.fired.problems.map(({ what }) => what) : []);
  const untold = problems.filter(({ level, what }) => level !== "note" && !told.has(what));
  const here = untold.filter((one) => concerns(one, story.event));
  if (untold.length > 0) io.err(problemsView(here, { ...around, colour: options.colour && io.isTTY.err }, untold.length - here.length));
  if (io.isTTY.err && !wanted.explain && !about) io.err("\nThe whole story: carabiner explain last\n");
  return about?.known ?? true;
}
