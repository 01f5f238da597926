// The flips that change nothing anybody could see, each with the reason why.

/** By the path of the cell. */
export const EQUIVALENT_CELLS = {};

/** By file and text of the branch, so that the list survives edits elsewhere in the file: `file: what: text`. */
export const EQUIVALENT_BRANCHES = {};
