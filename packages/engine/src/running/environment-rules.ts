/** The tables by which a variable of the host is kept from a hook or handed on. Names are in capitals and compared so, except those of the shell. */

/** Handed on whatever the value. Source for all tables: the study of Gemini CLI, ENV-3 to ENV-6. */
export const KEPT_BEFORE_SECRETS = ["GEMINI_CLI_"] as const;
/** Handed on unless the value looks like a secret. */
export const KEPT_AFTER_SECRETS = ["GIT_CONFIG_"] as const;

export const ALWAYS_ALLOWED: ReadonlySet<string> = new Set(
  (
    "PATH SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP USERPROFILE SYSTEMDRIVE HOME LANG SHELL TMPDIR USER LOGNAME TERM COLORTERM " +
    "ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST ISSUES_TO_TRIAGE ISSUE_BODY " +
    "ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR"
  ).split(" "),
);

export const NEVER_ALLOWED: ReadonlySet<string> = new Set(
  (
    "CLIENT_ID DB_URI CONNECTION_STRING AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID SLACK_WEBHOOK_URL TWILIO_ACCOUNT_SID " +
    "DATABASE_URL GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID"
  ).split(" "),
);

/** A name that contains one of these is taken for the name of a secret: `SSH_AUTH_SOCK` and `NODE_EXTRA_CA_CERTS` among them. */
export const SENSITIVE_WORDS = ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"] as const;

/** Surroundings in which only always-allowed names are handed on: a workflow run of GitHub. Source: ENV-1. */
export const STRICT_SIGNS = [
  { name: "GITHUB_SHA", means: (value: string): boolean => value !== "" },
  { name: "SURFACE", means: (value: string): boolean => value === "Github" },
] as const;

/**
 * Variables that are code or options for every bash that inherits them. They never come from the host, allowed or not: a hook means the
 * same in every terminal. A handler's own `env` may set them for the programs it runs; its own shell looks at none of them.
 * Source: contracts/gemini.md, "Running".
 */
export const SHELL_CODE_NAMES: ReadonlySet<string> = new Set(["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS"]);
/** Exported bash functions. */
export const SHELL_FUNCTION = /^BASH_FUNC_.*(?:%%|\(\))$/;
