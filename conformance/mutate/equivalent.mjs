// The flips that change nothing anybody could see, each with the reason why.

/** By dialect and path of the cell. */
export const EQUIVALENT_CELLS = {
  gemini: {
    conditions: "No handler of its has an `if` to look at: the key is not among handlerKeys.",
    ...Object.fromEntries(
      ["default", "autoEdit", "plan", "yolo"].map((mode) => [`permissionModes.${mode}`, "Nothing on its stdin says the permission mode."]),
    ),
    "sanitising.strict -> never": "The signs are looked for where the environment is made, too.",
  },
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
export const EQUIVALENT_BRANCHES = {
  "admit.ts: && turned into ||: winner && winner !== entry": "Every entry that is left has a winner: the test is for the compiler.",
  "read-output.ts: negated: known": "What was worked out of a row before is worked out again: slower, and the same.",
  'read-output.ts: && turned into ||: read.fills === "ruling" && read.yieldsTo !== void 0':
    "Only rulings have a yieldsTo: the test is for the compiler.",
  "match.ts: negated: known": "What was compiled before is compiled again: slower, and the same.",
  "match.ts: negated: compiled.size >= MAX_COMPILED": "The same.",
  "match.ts: negated: entry.wireName !== event":
    "Functions registered in code stand in no settings file; the engine's own tests register them.",
  "match.ts: negated: entry.barred (2)": "The same, where it is asked of a function.",
  "collide.ts: === turned into !==: later.report.entry.dialect === earlier.report.entry.dialect":
    "A case has one dialect; the engine's own tests have both in one session.",
};
