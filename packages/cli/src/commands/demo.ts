/** `carabiner demo`: a tour of real hooks around a scripted agent, told from the journal it leaves and checked against what it expects. */
import { resolve } from "node:path";
import type { CommandModule } from "../command.ts";
import { type Io, SIGNAL_EXIT } from "../io.ts";
import { type ViewOptions, viewOptions } from "../views/index.ts";
import { createTeller } from "./demo-chapter.ts";
import { tourDocument } from "./demo-document.ts";
import { check } from "./demo-expect.ts";
import { play } from "./demo-play.ts";
import { copyTour, OWN_TOUR, openTour, setStage } from "./demo-stage.ts";
import { closingView, openingView } from "./demo-summary.ts";

interface DemoWords {
  readonly copy?: string;
  readonly json?: boolean;
}

const MORE = `
The tour is played on a copy in a new temporary folder, which is kept. Nothing
of your own settings counts.

  carabiner demo               the tour that comes with carabiner
  carabiner demo --copy DIR    put a copy of it into DIR, to change it
  carabiner demo DIR           play the tour in DIR: its hooks, its script and
                               its expectations

Exit codes:
  0    everything that the tour expects came true
  1    something did not, or there is no tour in DIR
  129, 130, 143   ended by SIGHUP, SIGINT, SIGTERM`;

export const demo: CommandModule = {
  define: (command, io, done) => {
    command
      .argument("[dir]", "a folder with a tour of your own")
      .option("--copy <dir>", "copy the tour into a new or empty folder, and play nothing")
      .option("--json", "print one JSON document")
      .addHelpText("after", MORE)
      .action(async (dir: string | undefined, { copy, json = false }: DemoWords) => {
        if (copy !== undefined)
          done(
            dir === undefined
              ? copied(io, copy, json)
              : refuse(io, "demo: give a folder to play, or --copy and a folder to fill; not both."),
          );
        else done(await runDemo(io, dir, json));
      });
  },
};

function copied(io: Io, dir: string, json: boolean): number {
  const target = resolve(io.cwd, dir);
  const copy = copyTour(target);
  if (!copy.ok) return refuse(io, copy.why);
  if (json) {
    io.out(`${JSON.stringify({ copiedTo: target, files: copy.files })}\n`);
    return 0;
  }
  io.out(
    [
      `The tour is in ${target} (${copy.files} files).`,
      "Change a hook, and see what it changes:",
      `  edit ${target}/.gemini/hooks/keep-orders.sh`,
      `  npx carabiner demo ${dir}`,
      "",
    ].join("\n"),
  );
  return 0;
}

async function runDemo(io: Io, dir: string | undefined, json: boolean): Promise<number> {
  if (process.platform === "win32") return refuse(io, "demo: its hooks are shell scripts, which need Linux or macOS (or WSL).");
  const folder = dir === undefined ? OWN_TOUR : resolve(io.cwd, dir);
  const opened = openTour(folder);
  if (!opened.ok) return refuse(io, opened.why);
  const { tour } = opened;
  const began = performance.now();
  const view = shown(io);
  const stopping = new AbortController();
  let signalled: keyof typeof SIGNAL_EXIT | undefined;
  const forget = io.onSignal((signal) => {
    signalled ??= signal;
    stopping.abort(new Error(`ended by ${signal}`));
  });
  try {
    const stage = setStage(folder, io.env);
    const chapterText = createTeller({ ...view, home: stage.home });
    if (!json) io.out(openingView(tour, view));
    const played = await play(
      stage,
      tour,
      {
        played: (chapter, number) => {
          if (!json) io.out(chapterText(chapter, number));
        },
        notice: (text) => io.err(`[WARNING] ${text}\n`),
      },
      stopping.signal,
    );
    if (!played.ok) return refuse(io, played.why);
    const checked = check(tour.expect, played, stage);
    const tookMs = performance.now() - began;
    io.out(
      json ? `${JSON.stringify(tourDocument(tour, played, checked, stage, tookMs))}\n` : closingView(checked, played, stage, tookMs, view),
    );
    return checked.every(({ holds }) => holds) ? 0 : 1;
  } catch (error) {
    if (signalled === undefined) throw error;
    return SIGNAL_EXIT[signalled];
  } finally {
    forget();
  }
}

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_COLUMNS = 96;
function shown(io: Io): ViewOptions {
  const view = viewOptions(io);
  return { ...view, columns: Math.min(view.columns, MAX_COLUMNS) };
}

function refuse(io: Io, message: string): number {
  io.err(`${message}\n`);
  return 1;
}
