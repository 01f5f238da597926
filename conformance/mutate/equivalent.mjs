// The flips that change nothing anybody could see, each with the reason why.

/** By dialect and path of the cell. */
export const EQUIVALENT_CELLS = {
  "qoder-cn": {
    "rows.PermissionRequest.reads[1] (hookSpecificOutput.decision.interrupt) false -> deny":
      "It counts beside a denial only, and says no more than that does.",
    "environment.QODERCN_PROJECT_DIR -> cwd": "Its hooks run in the project directory, and that is what cwd holds then.",
    "environment.QODER_PROJECT_DIR -> cwd": "The same.",
    "environment.CLAUDE_PROJECT_DIR -> cwd": "The same.",
    "sanitising.strict -> never": "The signs are looked for where the environment is made, too.",
  },
};

/** By file and text of the branch, so that the list survives edits elsewhere in the file: `file: what: text`. */
export const EQUIVALENT_BRANCHES = {};
