/** Turns the .gitignore files of a tree, and the product's own ignore file, into one question: is this path ignored? */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isWithin } from "./inside.ts";

/** `path` is real and absolute. Answers are remembered, so one value serves one tool call and no longer. */
export type Ignored = (path: string, isFolder: boolean) => boolean;

/** Which ignore files count, and from where. */
export interface IgnoreOptions {
  /** The allowed folder that the question is about; real and absolute. */
  readonly root: string;
  /** Where the walk starts, in or at `root`. When git ignores this very folder, asking for it lifts the rules from above it. */
  readonly from: string;
  /** Whether .gitignore files and `.git/info/exclude` count. */
  readonly git: boolean;
  /** Ignore files of the product: looked for in `root` only, and they always count. */
  readonly productFiles: readonly string[];
}

/**
 * Nested .gitignore files count as git counts them: the deepest file that has an opinion wins, nothing under an ignored folder comes
 * back, and the search for files upward ends at the repository's top (without a repository: at `root`). An ignore file that cannot be
 * read counts as empty.
 */
export function ignoreRules({ root, from, git, productFiles }: IgnoreOptions): Ignored {
  const byProduct = productRules(root, productFiles);
  if (!git) return byProduct;
  const byGit = gitRules(repositoryTop(from) ?? root);
  const chosen = byGit(from, true) ? gitRules(from) : byGit;
  return (path, isFolder) => byProduct(path, isFolder) || chosen(path, isFolder);
}

/** The product's own ignore files alone: what the person keeps from the model, even when it is asked for by name. */
export function productRules(root: string, files: readonly string[]): Ignored {
  const rules = rulesOf(files.map((name) => join(root, name)));
  return (path, isFolder) => rules !== undefined && path !== root && isWithin(path, root) && rules.ignores(spelled(root, path, isFolder));
}

function gitRules(top: string): Ignored {
  const perFolder = new Map<string, Ignore | undefined>();
  const known = new Map<string, boolean>();
  const rulesIn = (folder: string): Ignore | undefined => {
    const files = [...(folder === top ? [join(folder, ".git", "info", "exclude")] : []), join(folder, ".gitignore")];
    if (!perFolder.has(folder)) perFolder.set(folder, rulesOf(files));
    return perFolder.get(folder);
  };
  const decided = (path: string, isFolder: boolean): boolean => {
    for (let folder = dirname(path); isWithin(folder, top); folder = dirname(folder)) {
      const said = rulesIn(folder)?.test(spelled(folder, path, isFolder));
      if (said?.ignored) return true;
      // A repository inside this one has its own rules and none from above.
      if (said?.unignored || folder === top || existsSync(join(folder, ".git"))) return false;
    }
    return false;
  };
  const ignored: Ignored = (path, isFolder) => {
    if (path === top || !isWithin(path, top)) return false;
    const before = known.get(path);
    if (before !== undefined) return before;
    const answer = basename(path) === ".git" || ignored(dirname(path), true) || decided(path, isFolder);
    known.set(path, answer);
    return answer;
  };
  return ignored;
}

/** The nearest folder at or above `from` that holds `.git`. */
export function repositoryTop(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function rulesOf(files: readonly string[]): Ignore | undefined {
  const texts = files.map(textOf).filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.reduce((rules, text) => rules.add(text), ignore());
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch {
    // ENOENT, EISDIR, EACCES: no rules from here.
    return "";
  }
}

const spelled = (folder: string, path: string, isFolder: boolean): string =>
  relative(folder, path).split(sep).join("/") + (isFolder ? "/" : "");
