/** Turns a path pattern and a path into a yes or no: `*`, `?` and `[...]` inside a name, `**` over names, `{a,b}` for either. No files are looked at. */

/** Both with `/` between names. Names that begin with a dot are names like any other. */
export const globFits = (pattern: string, path: string): boolean => {
  const names = path.split("/");
  return alternatives(pattern).some((one) => namesFit(one.split("/"), names));
};

/** Patterns come from files that others wrote. */
const MAX_ALTERNATIVES = 256;

/** `a{b,c}d` as `abd` and `acd`; a brace that is not closed, or holds no comma, stands for itself. */
function alternatives(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const found = /\{([^{}]*,[^{}]*)\}/.exec(one);
    if (!found || done.length + open.length >= MAX_ALTERNATIVES) {
      done.push(one);
      continue;
    }
    const [before, after] = [one.slice(0, found.index), one.slice(found.index + found[0].length)];
    open.push(...(found[1] ?? "").split(",").map((choice) => `${before}${choice}${after}`));
  }
  return done;
}

/** `**` as a whole name stands for any number of names, none included. Never worse than names times patterns. */
function namesFit(patterns: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const pattern of patterns) {
    const next = new Set<number>();
    if (pattern === "**") for (let at = Math.min(...reached); at <= names.length; at++) next.add(at);
    else for (const at of reached) if (at < names.length && nameFits(pattern, names[at] ?? "")) next.add(at + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(names.length);
}

type Piece = "any" | ((char: string) => boolean);
function nameFits(pattern: string, name: string): boolean {
  const pieces = piecesOf(pattern);
  const chars = [...name];
  let reached = new Set([0]);
  for (const piece of pieces) {
    const next = new Set<number>();
    if (piece === "any") for (let at = Math.min(...reached); at <= chars.length; at++) next.add(at);
    else for (const at of reached) if (at < chars.length && piece(chars[at] ?? "")) next.add(at + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(chars.length);
}

function piecesOf(pattern: string): readonly Piece[] {
  const found = pattern.match(/\*+|\?|\[[!^]?\]?[^\]]*\]|\\?[\s\S]/gu) ?? [];
  return found.map((text): Piece => {
    if (text.startsWith("*")) return "any";
    if (text === "?") return () => true;
    if (text.length > 2 && text.startsWith("[")) return oneOf(text.slice(1, -1));
    const literal = text.length > 1 ? text.slice(1) : text;
    return (char) => char === literal;
  });
}

function oneOf(inside: string): (char: string) => boolean {
  const not = /^[!^]/.test(inside);
  const ranges = [...(not ? inside.slice(1) : inside).matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)];
  return (char) =>
    ranges.some(([, from, to, one]) => (from !== undefined && to !== undefined ? from <= char && char <= to : one === char)) !== not;
}
