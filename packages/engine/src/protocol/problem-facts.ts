/** What a call site has to know of each problem: the facts its wording is made of. */

export interface FactsByCode {
  SETTINGS_UNREADABLE: { readonly message: string };
  SETTINGS_BAD_JSON: { readonly message: string };
  SETTINGS_DUPLICATE_KEY: { readonly key: string };
  SETTINGS_UNWRITABLE: { readonly message: string };
  SETTINGS_BAD_SHAPE: { readonly expected: string; readonly found: string; readonly now: string; readonly todo?: string };
  SETTINGS_LOOKALIKE: { readonly says: string; readonly count: number };
  SETTINGS_LEGACY: { readonly key: string; readonly instead: string };
  SETTINGS_NOT_YOURS: { readonly key: string; readonly why: string };
  SETTING_UNKNOWN: { readonly key: string; readonly known: readonly string[]; readonly suggestion: string | undefined };
  HOOKS_OFF: { readonly count: number; readonly where: string };
  EVENT_UNKNOWN: {
    readonly name: string;
    readonly suggestion: string | undefined;
    readonly counterpart: string | undefined;
    readonly known: readonly string[];
  };
  EVENT_NOT_FIRED: { readonly name: string };
  KEY_UNKNOWN: { readonly key: string; readonly known: readonly string[]; readonly suggestion: string | undefined };
  KEY_NOT_BUILT: { readonly key: string; readonly instead: string };
  TYPE_UNSUPPORTED: { readonly type: string };
  TIMEOUT_BAD: { readonly found: string; readonly unit: string; readonly used: string };
  TIMEOUT_CAPPED: { readonly found: string };
  TIMEOUT_SUSPECT: { readonly found: string; readonly reads: string; readonly todo: string };
  MATCHER_BAD_REGEX: { readonly matcher: string; readonly message: string; readonly now: string };
  MATCHER_TOO_SLOW: { readonly matcher: string; readonly subject: string; readonly limitMs: number };
  MATCHER_NOTHING_TO_MATCH: { readonly matcher: string; readonly event: string };
  MATCHER_MATCHES_NOTHING: { readonly matcher: string; readonly known: readonly string[] };
  CONDITION_BAD: { readonly condition: string; readonly message: string };
  FAILURE_POLICY_UNUSABLE: { readonly event: string; readonly why: string };
  FOLDER_UNTRUSTED: { readonly folder: string; readonly count: number; readonly todo: string };
  PROJECT_HOOKS_FORBIDDEN: { readonly count: number; readonly by: string };
  HOOK_UNAPPROVED: { readonly command: string; readonly why: string };
  TRUST_STORE_BAD: { readonly message: string };
  TRUST_STORE_UNWRITABLE: { readonly message: string };
  SCRIPT_MISSING: { readonly path: string };
  SCRIPT_NOT_EXECUTABLE: { readonly path: string };
  CWD_GONE: { readonly cwd: string; readonly used: string };
  /** `refusesWith`: where the hook may have meant to refuse, the code that does. */
  HOOK_EXITED: { readonly exitCode: number; readonly stderr: string; readonly refusesWith: number | undefined };
  HOOK_NOT_FOUND: { readonly stderr: string; readonly shell: string };
  HOOK_NOT_EXECUTABLE: { readonly stderr: string; readonly shell: string };
  HOOK_SIGNALLED: { readonly signal: string; readonly stderr: string };
  HOOK_TIMED_OUT: { readonly afterMs: number };
  HOOK_NOT_STARTED: { readonly message: string };
  HOOK_THREW: { readonly message: string };
  HOOK_ESCAPED: Record<never, never>;
  HOOK_FAILED_CLOSED: { readonly status: string };
  EXIT_2_IGNORED: { readonly event: string; readonly stderr: string };
  OUTPUT_NOT_JSON: { readonly found: string; readonly now: string; readonly hint: string | undefined };
  OUTPUT_NOT_OBJECT: { readonly found: string };
  OUTPUT_TRUNCATED: { readonly stream: "stdout" | "stderr"; readonly bytes: number; readonly max: number };
  OUTPUT_BAD_VALUE: { readonly path: string; readonly expected: string; readonly found: string };
  OUTPUT_FIELD_IGNORED: { readonly path: string; readonly event: string };
  /** `event`: with its product, because a field is often another product's. */
  OUTPUT_FIELD_UNKNOWN: { readonly path: string; readonly event: string; readonly suggestion: string | undefined };
  OUTPUT_FIELD_MISPLACED: { readonly path: string; readonly belongs: string };
  OUTPUT_EVENT_WRONG: { readonly found: string; readonly expected: string };
  OUTPUT_EVENT_MISSING: { readonly expected: string };
  OUTPUT_RULING_LOST: { readonly stream: "stdout" | "stderr"; readonly found: string };
  OUTPUT_RULING_UNREAD: { readonly path: string; readonly found: string; readonly event: string; readonly write: string };
  OUTPUT_EXIT_1_DENIAL: { readonly exitCode: number };
  REASON_MISSING: { readonly used: string };
  REWRITES_COLLIDE: { readonly other: string; readonly keys: string };
  RETRIES_SPENT: { readonly max: number; readonly by: string };
  TAIL_CALLS_SPENT: { readonly max: number; readonly by: string };
  LATE_RULING: { readonly ruling: string };
  JOURNAL_UNWRITABLE: { readonly message: string };
  JOURNAL_BAD_LINE: { readonly message: string };
}
export type ProblemCode = keyof FactsByCode;
