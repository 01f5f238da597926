// Turns a program and its input into a process as anybody would start it: the least a hook can cost in this process.
import { spawn } from "node:child_process";

/** Resolves to stdout when the process has exited and its pipes are closed. */
export function bareSpawn([file, ...args], input, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: "pipe" });
    const chunks = [];
    child.on("error", reject);
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.resume();
    // EPIPE: a program need not read.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}
