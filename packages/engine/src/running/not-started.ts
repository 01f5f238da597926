/** Turns a failed start into a sentence that says which of program, directory and size was at fault. */
import { accessSync, constants, statSync } from "node:fs";
import type { ProcessOrder } from "./order.ts";

type Attempt = Pick<ProcessOrder, "line" | "cwd" | "env">;

/** The sentence names the program and the errno. It looks at the disk: called only after a failure. */
export function describeStartFailure(error: unknown, attempt: Attempt): string {
  const code = codeOf(error);
  return `Could not start ${JSON.stringify(attempt.line.file)} (${code}): ${explain(code, error, attempt)}`;
}

function explain(code: string, error: unknown, { line, cwd, env }: Attempt): string {
  // The system reports a missing directory with the same errno, in the name of the program.
  const place = directoryFault(cwd);
  if (place !== undefined && code !== "E2BIG") return `the working directory ${JSON.stringify(cwd)} ${place}.`;
  switch (code) {
    case "ENOENT":
      if (!/[\\/]/.test(line.file))
        return `no such program in PATH, which is ${env["PATH"] === undefined ? "not set" : JSON.stringify(env["PATH"])}.`;
      return exists(line.file)
        ? "the file exists, but the program that its #! line names does not."
        : "there is no such file. Check the path, and that the file is where the hook is run.";
    case "EACCES":
      return "the file is not executable. Try chmod +x on it.";
    case "E2BIG":
      return `its arguments and environment are larger than the system allows. ${largest(line.args, env)}`;
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return "the system has no process, file or memory left for it.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function largest(args: readonly string[], env: Readonly<Record<string, string>>): string {
  const sized = [
    ...Object.entries(env).map(([name, value]) => ({ what: `the variable ${name}`, bytes: Buffer.byteLength(value) })),
    ...args.map((arg, at) => ({ what: `argument ${at + 1}`, bytes: Buffer.byteLength(arg) })),
  ];
  const [first] = sized.sort((a, b) => b.bytes - a.bytes);
  return first === undefined ? "" : `The largest is ${first.what} with ${first.bytes} bytes.`;
}

function directoryFault(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is not a directory";
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "does not exist" : `cannot be entered (${codeOf(error)})`;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
}
