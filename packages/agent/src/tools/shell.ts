/** The tool that turns a shell command into what it printed. */
import { stat } from "node:fs/promises";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failed } from "./failed.ts";
import { inside } from "./inside.ts";
import { rootCommands } from "./root-commands.ts";
import { type BashRun, runBash } from "./run-bash.ts";
import { runInBackground } from "./run-in-background.ts";
import type { ToolOutput } from "./tool.ts";
import { untrusted } from "./untrusted.ts";

/** A command that ran and did not succeed is `failed`, not an error; one that could not be started is the error `shell_execute_error`. */
export const shellTool = defineTool({
  kind: "shell",
  effect: "execute",
  describe:
    "Runs a command with bash -c and returns its output and exit code. There is no terminal and no input: use flags that ask nothing. A command that takes too long is ended with everything it started; run servers and watchers in the background.",
  args: z.object({
    command: z.string().min(1).describe("The command, as bash is to read it."),
    description: z.string().optional().describe("What the command does, in one short sentence; shown to people."),
    directory: z.string().optional().describe("Folder to run it in. Default: the working directory."),
    timeoutMs: z.int().min(1).optional().describe("Time limit in milliseconds."),
    background: z.boolean().optional().describe("Start the command and go on at once; its output goes to a file. Default: false."),
  }),
  also: ({ command }, say) => {
    if (command.trim() === "") return `${say("command")}: expected a command, got white space. Nothing was run.`;
    return command.includes("\0") ? `${say("command")}: expected text without zero bytes. Nothing was run.` : undefined;
  },
  confirmation: ({ command }) => ({ type: "exec", title: "Confirm Shell Command", command, rootCommand: rootCommands(command).join(", ") }),
  run: async ({ command, directory = ".", timeoutMs, background = false }, ctx) => {
    const { limits, env, signal } = ctx;
    const place = await inside(directory, ctx);
    if (!place.ok) return place.output;
    const folder = await stat(place.path).catch(() => undefined);
    if (folder?.isDirectory() !== true)
      return failed("path_is_not_a_directory", `${place.shown}: there is no such folder to run a command in.`);
    const order = { command, cwd: place.path, env, maxOutputBytes: limits.maxOutputBytes };
    if (background) return backgroundReport(await runInBackground(order));
    const limit = Math.min(timeoutMs ?? limits.shellTimeoutMs, limits.maxShellTimeoutMs);
    const run = await runBash({
      ...order,
      signal,
      timeoutMs: limit,
      killGraceMs: limits.killGraceMs,
      ...(ctx.onOutput === undefined ? {} : { onOutput: ctx.onOutput }),
    });
    return report(run, limit);
  },
});

/** Source: gemini-cli, `llmContent` of its shell tool: `Output:`, `Exit Code:`, `Signal:`, `Background PIDs:`, one a line. */
function report(run: BashRun, limitMs: number): ToolOutput {
  if (run.ended === "notStarted") return failed("shell_execute_error", `The command could not be started: ${run.problem}.`);
  const { exitCode, signal, left, escaped } = run;
  const why = {
    exited: undefined,
    timedOut: `Its time limit of ${limitMs} ms was reached; it was ended, with everything it had started.`,
    cancelled: "It was cancelled, and ended with everything it had started.",
  }[run.ended];
  const lines = [
    `Output: ${run.output === "" ? "(empty)" : run.output.replace(/\n$/, "")}`,
    ...(why === undefined ? [] : [`Error: ${why}`]),
    ...(exitCode === undefined ? [] : [`Exit Code: ${exitCode}`]),
    ...(signal === undefined ? [] : [`Signal: ${signal}`]),
    ...(left.length === 0 ? [] : [`Background PIDs: ${left.join(", ")}`]),
    ...(escaped ? ["Background PIDs: unknown; a process that left the command's group still holds its output"] : []),
  ];
  const fate = why ?? (signal === undefined ? (exitCode === 0 ? "" : `Exit code ${exitCode}`) : `Ended by ${signal}`);
  return {
    content: untrusted(lines.join("\n")),
    display: [run.output.replace(/\n$/, ""), fate].filter((text) => text !== "").join("\n"),
    failed: run.ended !== "exited" || exitCode !== 0,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function backgroundReport(run: Awaited<ReturnType<typeof runInBackground>>): ToolOutput {
  if (!run.ok) return failed("shell_execute_error", `The command could not be started: ${run.problem}.`);
  const { pid, outputFile, exit, output } = run;
  const state =
    exit === undefined
      ? `Running in the background. See more of its output with: tail ${outputFile}. End it with: kill -- -${pid}`
      : exit.signal === null
        ? `It has already ended.\nExit Code: ${exit.code}`
        : `It has already ended.\nSignal: ${exit.signal}`;
  return {
    content: untrusted(
      [
        `Output: ${output === "" ? "(empty so far)" : output.replace(/\n$/, "")}`,
        `Background PIDs: ${pid}`,
        `Output File: ${outputFile}`,
        state,
      ].join("\n"),
    ),
    display: exit === undefined ? `Running in the background as ${pid}; output in ${outputFile}` : state,
    failed: exit !== undefined && exit.code !== 0,
    ...(typeof exit?.code === "number" ? { exitCode: exit.code } : {}),
  };
}
