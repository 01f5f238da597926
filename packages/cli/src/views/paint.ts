/** Turns a tone into a colour, or leaves the text as it is. */
import picocolors from "picocolors";

export type Tone = "good" | "bad" | "warning" | "muted" | "strong" | "none";
export type Paint = (tone: Tone, text: string) => string;

export function painter(colour: boolean): Paint {
  if (!colour) return (_, text) => text;
  const { green, red, yellow, dim, bold } = picocolors.createColors(true);
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    good: green,
    bad: (text) => bold(red(text)),
    warning: yellow,
    muted: dim,
    strong: bold,
    none: (text) => text,
  };
  return (tone, text) => (text === "" ? text : tones[tone](text));
}
