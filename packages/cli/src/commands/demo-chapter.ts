/** Sets the chapters of a tour in type: what the user asked, every firing in which a hook had something to say, and what the agent answered. */
import type { Story } from "@carabiner/engine";
import { type Paint, padded, painter, type ViewOptions, widthOf, wrapped } from "../views/index.ts";
import type { PlayedChapter } from "./demo-play.ts";
import { barred, INDENT, INNER, indented, isTold, storyLines, whySkipped } from "./demo-story.ts";

/** Turns one chapter after another into text that ends with an empty line. What has been told of a hook that did not run is not told again. */
export function createTeller(options: ViewOptions): (played: PlayedChapter, number: number) => string {
  const { columns } = options;
  const paint = painter(options.colour);
  const known = new Set<string>();
  const news = (story: Story): readonly string[] =>
    whySkipped(story, options.home).flatMap(({ key, text }) => {
      if (known.has(key)) return [];
      known.add(key);
      return [text];
    });
  return ({ chapter, stories, answers, refused, trouble }, number) => {
    const told = firstOfAKind(stories.filter(isTold));
    const answer = answers.at(-1);
    const sections: readonly (readonly string[])[] = [
      [
        heading(`${number}  ${chapter.title}`, columns, paint),
        ...indented(chapter.about, INDENT, columns).map((line) => paint("muted", line)),
      ],
      speech("user", chapter.prompt, columns, paint),
      ...told.map((story) => storyLines(story, news(story), columns, paint)),
      ...refused.map(({ tool, output }) => [
        ...indented(`The model called ${tool} all the same. The agent refused by itself, and told it:`, INDENT, columns),
        ...barred(output, INNER, columns),
      ]),
      trouble === undefined
        ? []
        : indented(`This prompt did not come to its end. ${trouble}`, INDENT, columns).map((line) => paint("bad", line)),
      answer === undefined ? [] : speech("agent", answer, columns, paint),
      alsoFired(stories.length - told.length).map((line) => paint("muted", line)),
    ];
    return `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join("\n"))
      .join("\n\n")}\n\n`;
  };
}

/** Hooks on the model are asked with every request; what they say again in the same words is told once. */
function firstOfAKind(stories: readonly Story[]): readonly Story[] {
  const seen = new Set<string>();
  return stories.filter(({ event, subject, fired }) => {
    const kind = JSON.stringify([
      event,
      subject,
      fired.facts?.["tool"],
      fired.outcome,
      fired.runs.map(({ entry, status }) => [entry, status]),
    ]);
    const isFirst = !seen.has(kind);
    seen.add(kind);
    return isFirst;
  });
}

const alsoFired = (count: number): readonly string[] =>
  count === 0 ? [] : [`${INDENT}And ${count === 1 ? "1 firing" : `${count} firings`} in which no hook had anything new to say.`];

function heading(text: string, columns: number, paint: Paint): string {
  const rest = columns - widthOf(text) - 1;
  return rest < 3 ? paint("strong", text) : `${paint("strong", text)} ${paint("muted", "-".repeat(rest))}`;
}

/** A person or the agent, and what was said. */
function speech(who: string, text: string, columns: number, paint: Paint): readonly string[] {
  const label = padded(who, 6);
  return wrapped(text, columns - INDENT.length - label.length - 1).map(
    (line, i) => `${INDENT}${i === 0 ? paint("strong", label) : " ".repeat(label.length)} ${line}`,
  );
}
