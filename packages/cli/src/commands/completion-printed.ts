/** Turns what a library prints with console.log into a text. */

/** `print` must be synchronous, so that nobody else's lines get in between. */
export function printed(print: () => void): string {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...parts: readonly unknown[]) => void lines.push(parts.map(String).join(" "));
  try {
    print();
  } finally {
    console.log = log;
  }
  return lines.map((line) => `${line}\n`).join("");
}
