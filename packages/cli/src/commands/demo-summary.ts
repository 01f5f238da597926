/** Sets the two ends of a tour in type: what it is about, and what was expected of it, where everything is kept and what to try next. */

import { painter, type ViewOptions, wrapped } from "../views/index.ts";
import type { Checked } from "./demo-expect.ts";
import { nextCommands } from "./demo-next.ts";
import type { Played } from "./demo-play.ts";
import type { Stage } from "./demo-stage.ts";
import type { Tour } from "./demo-tour.ts";

/** Ends with an empty line. */
export function openingView({ title, about }: Tour, options: ViewOptions): string {
  const paint = painter(options.colour);
  const lines = wrapped(
    `${about} What the hooks did is read back from the journal they leave, and what was said from the transcript.`,
    options.columns,
  );
  return `${paint("strong", title)}\n${lines.join("\n")}\n\n`;
}

/** Ends with a line end. */
export function closingView(checked: readonly Checked[], played: Played, stage: Stage, tookMs: number, options: ViewOptions): string {
  const paint = painter(options.colour);
  const failed = checked.filter(({ holds }) => !holds).length;
  const stories = played.chapters.flatMap((chapter) => chapter.stories);
  const runs = stories.reduce((sum, { ran }) => sum + ran.length, 0);
  const line = (text: string, indent: string): string =>
    wrapped(text, options.columns - indent.length)
      .map((one, i) => (i === 0 ? one : indent + one))
      .join("\n");
  const verdicts = checked.flatMap(({ that, holds, found }) => [
    `${holds ? paint("good", "  ok      ") : paint("bad", "  FAILED  ")}${line(that, " ".repeat(10))}`,
    ...(found === undefined ? [] : [`          ${paint("bad", line(`but ${found}`, " ".repeat(10)))}`]),
  ]);
  const total =
    failed === 0
      ? paint("good", `All ${checked.length} hold.`)
      : paint("bad", `${failed} of ${checked.length} ${failed === 1 ? "does" : "do"} not hold.`);
  return [
    paint("strong", "What the tour expects, and what is so"),
    ...verdicts,
    "",
    `${total} ${line(`${runs} runs of hooks in ${stories.length} firings, in ${(tookMs / 1000).toFixed(1)} s.`, "")}`,
    "",
    paint("strong", "Kept for you to look at"),
    `  ${stage.folder}`,
    ...kept(stage).map(([path, what]) => `    ${path.padEnd(26)}${paint("muted", what)}`),
    "",
    paint("strong", "Try next"),
    `  cd ${stage.folder}`,
    ...nextCommands(checked, stories).flatMap(({ lines, why }) => [
      paint("muted", `  # ${why}`),
      ...lines.map((one, i) => `  ${i === 0 ? one : `  ${one}`}`),
    ]),
    "",
  ].join("\n");
}

/** Paths below the stage's folder, and what is there. */
function kept({ folder, project, journalDir }: Stage): readonly (readonly [string, string])[] {
  const below = (path: string): string => path.slice(folder.length + 1);
  return [
    [`${below(project)}/`, "the project, as the agent left it"],
    [`${below(journalDir)}/`, "the journal: every firing, as JSON Lines"],
    ["home/.gemini/tmp/", "the transcript of the session"],
    ["carabiner", "this program, at home in that project"],
  ];
}
