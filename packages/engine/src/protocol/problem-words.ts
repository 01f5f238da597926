/** The wording of every problem: what is wrong, what happens now, what to do. The only place such sentences stand. */
import type { FactsByCode, ProblemCode } from "./problem-facts.ts";
import type { Problem } from "./problems.ts";

type Wording = Pick<Problem, "level" | "what" | "now"> & Partial<Pick<Problem, "expected" | "found" | "todo">>;

const list = (names: readonly string[]): string => names.join(", ");
const quoted = (text: string): string => JSON.stringify(text);
const meant = (suggestion: string | undefined): { todo?: string } =>
  suggestion === undefined ? {} : { todo: `Did you mean ${quoted(suggestion)}?` };
const said = (stderr: string): string => (stderr === "" ? "nothing on stderr" : `stderr: ${quoted(stderr)}`);
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

export const WORDINGS: { readonly [C in ProblemCode]: (facts: FactsByCode[C]) => Wording } = {
  SETTINGS_UNREADABLE: ({ message }) => ({
    level: "error",
    what: `The settings file cannot be read: ${message}.`,
    now: "No hooks are taken from it; every other file still counts.",
    todo: "Check the file's permissions and type.",
  }),
  SETTINGS_BAD_JSON: ({ message }) => ({
    level: "error",
    what: `The settings file is not valid JSON: ${message}.`,
    now: "No hooks are taken from it; every other file still counts.",
    todo: "Correct the file at this place. Comments and trailing commas are allowed.",
  }),
  SETTINGS_DUPLICATE_KEY: ({ key }) => ({
    level: "warning",
    what: `${quoted(key)} stands more than once in the same object.`,
    now: "Only the last one counts; what the others hold is lost.",
    todo: "Put it all under one key.",
  }),
  SETTINGS_UNWRITABLE: ({ message }) => ({
    level: "error",
    what: `The settings file cannot be changed: ${message}.`,
    now: "It is left as it is.",
  }),
  SETTINGS_BAD_SHAPE: ({ expected, found, now, todo }) => ({
    level: "error",
    what: "A value has the wrong shape.",
    expected,
    found,
    now,
    ...(todo === undefined ? {} : { todo }),
  }),
  SETTINGS_LOOKALIKE: ({ says, count: n }) => ({
    level: "warning",
    what: `${count(n, "hook")} stand${n === 1 ? "s" : ""} in a file that is not read. ${says}`,
    now: n === 1 ? "It never runs." : "They never run.",
    todo: `Move ${n === 1 ? "it" : "them"} to the file that is read.`,
  }),
  SETTINGS_LEGACY: ({ key, instead }) => ({
    level: "warning",
    what: `${key} is the old place of this setting.`,
    now: "It is honoured.",
    todo: `Write ${instead} instead.`,
  }),
  SETTINGS_NOT_YOURS: ({ key, why }) => ({ level: "warning", what: `${key} does not count in this file: ${why}.`, now: "It is ignored." }),
  SETTING_UNKNOWN: ({ key, known, suggestion }) => ({
    level: "warning",
    what: `${quoted(key)} is not a setting of Carabiner.`,
    expected: `one of ${list(known)}`,
    now: "It is ignored.",
    ...meant(suggestion),
  }),
  HOOKS_OFF: ({ count: n, where }) => ({
    level: "warning",
    what: `${count(n, "hook")} ${n === 1 ? "is" : "are"} configured, and hooks are switched off by ${where}.`,
    now: "None of them runs.",
    todo: "Remove that switch to let them run.",
  }),
  EVENT_UNKNOWN: ({ name, suggestion, counterpart, known }) => ({
    level: "error",
    what: `${quoted(name)} is not an event.`,
    expected: `one of ${list(known)}`,
    found: quoted(name),
    now: "Its hooks never run; the other events do.",
    ...(counterpart !== undefined ? { todo: `In this product the same moment is called ${quoted(counterpart)}.` } : meant(suggestion)),
  }),
  EVENT_NOT_FIRED: ({ name }) => ({
    level: "warning",
    what: `${quoted(name)} is an event of the product that is not fired here.`,
    now: "Its hooks never run.",
  }),
  KEY_UNKNOWN: ({ key, known, suggestion }) => ({
    level: "warning",
    what: `${quoted(key)} is not a key that counts here.`,
    expected: `one of ${list(known)}`,
    now: "It is ignored; the hook still runs.",
    ...meant(suggestion),
  }),
  KEY_NOT_BUILT: ({ key, instead }) => ({ level: "warning", what: `${quoted(key)} is not available in this version.`, now: instead }),
  TYPE_UNSUPPORTED: ({ type }) => ({
    level: "warning",
    what: `Hooks of type ${quoted(type)} are not run here.`,
    expected: '"command"',
    found: quoted(type),
    now: "This hook never runs.",
  }),
  TIMEOUT_BAD: ({ found, unit, used }) => ({
    level: "warning",
    what: "The timeout cannot be used.",
    expected: `a positive number of ${unit}`,
    found,
    now: `Using ${used}.`,
  }),
  TIMEOUT_CAPPED: ({ found }) => ({
    level: "note",
    what: "The timeout is longer than a timer can wait.",
    found,
    now: "It is capped at 2147483647 ms (about 24 days).",
  }),
  TIMEOUT_SUSPECT: ({ found, reads, todo }) => ({
    level: "warning",
    what: `The timeout ${found} means ${reads}.`,
    now: "It is used as written.",
    todo,
  }),
  MATCHER_BAD_REGEX: ({ matcher, message, now }) => ({
    level: "warning",
    what: `The matcher is not a valid regular expression: ${message}.`,
    found: quoted(matcher),
    now,
  }),
  MATCHER_TOO_SLOW: ({ matcher, subject, limitMs }) => ({
    level: "error",
    what: `The matcher ${quoted(matcher)} took more than ${limitMs} ms on ${quoted(subject)}.`,
    now: "It counts as not usable for this name, and the hook does not run.",
    todo: "Write a pattern without nested repetition.",
  }),
  MATCHER_NOTHING_TO_MATCH: ({ matcher, event }) => ({
    level: "warning",
    what: `${event} has nothing to match, and a matcher is given.`,
    found: quoted(matcher),
    now: "The matcher is ignored and the hook runs every time.",
    todo: "Remove the matcher.",
  }),
  MATCHER_MATCHES_NOTHING: ({ matcher, known }) => ({
    level: "warning",
    what: `The matcher ${quoted(matcher)} fits none of the values this event is known to have.`,
    expected: `one of ${list(known)}`,
    now: "The hook runs only if another value comes up.",
  }),
  CONDITION_BAD: ({ condition, message }) => ({
    level: "error",
    what: `The condition ${quoted(condition)} cannot be read: ${message}.`,
    expected: "Tool or Tool(pattern)",
    now: "The hook never runs.",
  }),
  FAILURE_POLICY_UNUSABLE: ({ event, why }) => ({
    level: "warning",
    what: `onFailure "block" means nothing on ${event}: ${why}.`,
    now: "A failure of this hook lets the agent go on.",
    todo: "Remove onFailure here.",
  }),
  FOLDER_UNTRUSTED: ({ folder, count: n, todo }) => ({
    level: "warning",
    what: `${count(n, "project hook")} ${n === 1 ? "is" : "are"} off: the folder ${folder} is not trusted.`,
    now: "User, system and extension hooks still run.",
    todo,
  }),
  PROJECT_HOOKS_FORBIDDEN: ({ count: n, by }) => ({
    level: "warning",
    what: `${count(n, "project hook")} ${n === 1 ? "is" : "are"} off: ${by} forbids project hooks.`,
    now: "They never run on this machine.",
  }),
  HOOK_UNAPPROVED: ({ command, why }) => ({
    level: "warning",
    what: `The project hook is not approved: ${why}.`,
    found: command,
    now: "It does not run.",
    todo: "Read it, then approve it with `carabiner trust approve`.",
  }),
  TRUST_STORE_BAD: ({ message }) => ({
    level: "error",
    what: `The trust store cannot be read: ${message}.`,
    now: "It counts as empty: nothing in it is trusted or approved. The next decision keeps the old file beside the new one, with .bad in its name.",
    todo: "Correct the file, or decide again.",
  }),
  TRUST_STORE_UNWRITABLE: ({ message }) => ({
    level: "warning",
    what: `The trust store cannot be written: ${message}.`,
    now: "What was decided counts until this program ends.",
  }),
  SCRIPT_MISSING: ({ path }) => ({
    level: "warning",
    what: `The hook's command names ${path}, and there is no such file.`,
    now: "The hook will fail when it is called.",
    todo: "Correct the path; relative paths start at the project directory.",
  }),
  SCRIPT_NOT_EXECUTABLE: ({ path }) => ({
    level: "warning",
    what: `The hook's command starts ${path}, which is not executable.`,
    now: "The hook will fail when it is called.",
    todo: `Run: chmod +x ${path}`,
  }),
  CWD_GONE: ({ cwd, used }) => ({ level: "warning", what: `The directory ${cwd} is gone.`, now: `The hook ran in ${used}.` }),
  HOOK_EXITED: ({ exitCode, stderr, refusesWith }) => ({
    level: "warning",
    what: `The hook failed with exit code ${exitCode}; ${said(stderr)}.`,
    now: "The action goes on as if the hook had said nothing; its stdout does not count.",
    ...(refusesWith === undefined ? {} : { todo: `If it was meant to refuse: exit with code ${refusesWith}, and the reason on stderr.` }),
  }),
  HOOK_NOT_FOUND: ({ stderr, shell }) => ({
    level: "warning",
    what: `The hook's command was not found by ${shell} (exit code 127); ${said(stderr)}.`,
    now: "The action goes on as if the hook had said nothing.",
    todo: "Check the path, the first line of the script, and the PATH variable.",
  }),
  HOOK_NOT_EXECUTABLE: ({ stderr, shell }) => ({
    level: "warning",
    what: `The hook's command is not executable for ${shell} (exit code 126); ${said(stderr)}.`,
    now: "The action goes on as if the hook had said nothing.",
    todo: "Make the script executable: chmod +x.",
  }),
  HOOK_SIGNALLED: ({ signal, stderr }) => ({
    level: "warning",
    what: `The hook was ended by ${signal}; ${said(stderr)}.`,
    now: "The action goes on as if the hook had said nothing.",
  }),
  HOOK_TIMED_OUT: ({ afterMs }) => ({
    level: "warning",
    what: `The hook did not finish within ${afterMs} ms and was ended.`,
    now: "The action goes on as if the hook had said nothing.",
    todo: "Give it a longer `timeout`, or make it faster.",
  }),
  HOOK_NOT_STARTED: ({ message }) => ({
    level: "warning",
    what: `The hook could not be started: ${message.replace(/\.$/, "")}.`,
    now: "The action goes on as if the hook had said nothing.",
  }),
  HOOK_THREW: ({ message }) => ({
    level: "warning",
    what: `The hook function threw: ${message}.`,
    now: "The action goes on as if the hook had said nothing.",
  }),
  HOOK_ESCAPED: () => ({
    level: "warning",
    what: "The hook left a process behind that moved out of its process group and could not be ended.",
    now: "That process may still be running.",
  }),
  HOOK_FAILED_CLOSED: ({ status }) => ({
    level: "warning",
    what: `The hook failed (${status}) and is set to block on failure.`,
    now: "The action is denied.",
  }),
  EXIT_2_IGNORED: ({ event, stderr }) => ({
    level: "warning",
    what: `The hook exited with code 2, and ${event} cannot be refused; ${said(stderr)}.`,
    now: "The event goes on.",
  }),
  OUTPUT_NOT_JSON: ({ found, now, hint }) => ({
    level: "note",
    what: "The hook printed text that is not one JSON object.",
    found,
    now,
    ...(hint === undefined ? {} : { todo: hint }),
  }),
  OUTPUT_NOT_OBJECT: ({ found }) => ({
    level: "warning",
    what: "The hook printed JSON that is not an object.",
    expected: "one JSON object, or nothing",
    found,
    now: "It counts as no opinion.",
  }),
  OUTPUT_TRUNCATED: ({ stream, bytes, max }) => ({
    level: "warning",
    what: `The hook printed ${bytes} bytes on ${stream}, more than the limit of ${max}.`,
    now: stream === "stdout" ? "The run counts as failed; what was printed is not read." : "The rest of stderr is dropped.",
  }),
  OUTPUT_BAD_VALUE: ({ path, expected, found }) => ({
    level: "warning",
    what: `${path} has a value that cannot be used.`,
    expected,
    found,
    now: "This field is ignored; the others count.",
  }),
  OUTPUT_FIELD_IGNORED: ({ path, event }) => ({ level: "note", what: `${path} has no meaning on ${event}.`, now: "It is ignored." }),
  OUTPUT_FIELD_UNKNOWN: ({ path, event, suggestion }) => ({
    level: "note",
    what: `${event} does not read ${path}.`,
    now: "That does not count.",
    ...meant(suggestion),
  }),
  OUTPUT_FIELD_MISPLACED: ({ path, belongs }) => ({
    level: "warning",
    what: `${path} stands in the wrong place.`,
    expected: belongs,
    found: path,
    now: "It is ignored.",
    todo: `Move it to ${belongs}.`,
  }),
  OUTPUT_EVENT_WRONG: ({ found, expected }) => ({
    level: "warning",
    what: "hookSpecificOutput.hookEventName names another event.",
    expected: quoted(expected),
    found,
    now: "hookSpecificOutput does not count; the other fields do.",
  }),
  OUTPUT_EVENT_MISSING: ({ expected }) => ({
    level: "note",
    what: "hookSpecificOutput does not name its event.",
    expected: `hookEventName: ${quoted(expected)}`,
    now: "It is taken as the running event.",
  }),
  OUTPUT_RULING_LOST: ({ stream, found }) => ({
    level: "warning",
    what:
      stream === "stdout"
        ? `The hook printed ${found}, but not in one JSON object that stands alone on stdout.`
        : `The hook printed ${found} on stderr, and exited with code 0.`,
    now: "It does not count: the action goes on.",
    todo:
      stream === "stdout"
        ? "Print one JSON object and nothing else on stdout; send logging to stderr."
        : "Print the JSON on stdout, or exit 2 with the reason on stderr.",
  }),
  OUTPUT_RULING_UNREAD: ({ path, found, event, write }) => ({
    level: "warning",
    what: `The hook printed ${path}: ${found}, which ${event} does not read.`,
    now: "It does not count: the action goes on.",
    todo: `Print ${write} to hold it back.`,
  }),
  OUTPUT_EXIT_1_DENIAL: ({ exitCode }) => ({
    level: "warning",
    what: `The hook printed a denial and exited with code ${exitCode}.`,
    now: "The denial does not count: stdout is read at exit code 0 only.",
    todo: "Exit 0 with the JSON, or exit 2 with the reason on stderr.",
  }),
  REASON_MISSING: ({ used }) => ({
    level: "note",
    what: "The hook denied without a reason.",
    now: `The reason given is ${quoted(used)}.`,
    todo: "Give a `reason`: it is what the model or the user reads.",
  }),
  REWRITES_COLLIDE: ({ other, keys }) => ({
    level: "warning",
    what: `This hook and ${other} both changed ${keys}.`,
    now: "The later one in configured order counts.",
  }),
  RETRIES_SPENT: ({ max, by }) => ({
    level: "warning",
    what: `The hook asked for another try ${count(max, "time")}, which is the limit.`,
    found: by,
    now: "The last answer stands.",
    todo: "Let the hook look at stop_hook_active, or raise carabiner.maxRetries.",
  }),
  TAIL_CALLS_SPENT: ({ max, by }) => ({
    level: "warning",
    what: `The chain of tail calls reached its limit of ${max}.`,
    found: by,
    now: "The last result stands.",
    todo: "Let the hook look at original_request_name, or raise carabiner.maxTailCalls.",
  }),
  LATE_RULING: ({ ruling }) => ({
    level: "warning",
    what: `The hook said ${quoted(ruling)} after the firing had ended without it.`,
    now: "It decides nothing.",
    todo: "Remove `async` from a hook that must decide.",
  }),
  JOURNAL_UNWRITABLE: ({ message }) => ({
    level: "warning",
    what: `The journal cannot be written: ${message}.`,
    now: "Hooks still run; their records are lost.",
  }),
  JOURNAL_BAD_LINE: ({ message }) => ({
    level: "warning",
    what: `A line of the journal cannot be read: ${message}.`,
    now: "It is left out.",
  }),
};
