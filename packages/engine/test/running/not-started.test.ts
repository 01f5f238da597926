import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProcess } from "../../src/running/index.ts";
import { bash } from "./orders.ts";

const dir = mkdtempSync(join(tmpdir(), "carabiner-start-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const program = (file: string, ...args: string[]) => ({ file, args, shown: file });

describe("a process that cannot be started", () => {
  it("for want of a shell names the shell, the errno and the PATH it was sought in", async () => {
    const end = await runProcess(bash("true", { env: { PATH: "/nowhere:/at/all" } }));
    expect(end).toMatchObject({ kind: "notStarted", pid: undefined, stdout: "", readAllStdin: false });
    expect(end).toHaveProperty("message", 'Could not start "bash" (ENOENT): no such program in PATH, which is "/nowhere:/at/all".');
  });

  it("in a directory that is gone blames the directory, not the shell", async () => {
    const cwd = join(dir, "gone");
    const end = await runProcess(bash("true", { cwd }));
    expect(end).toHaveProperty("message", `Could not start "bash" (ENOENT): the working directory "${cwd}" does not exist.`);
  });

  it("in a directory that is a file says so", async () => {
    const cwd = join(dir, "file");
    writeFileSync(cwd, "");
    const end = await runProcess(bash("true", { cwd }));
    expect(end).toHaveProperty("message", `Could not start "bash" (ENOTDIR): the working directory "${cwd}" is not a directory.`);
  });

  it("because its environment is too large names the largest variable", async () => {
    const end = await runProcess(bash("true", { env: { PATH: process.env["PATH"] ?? "", HUGE: "x".repeat(200_000), SMALL: "y" } }));
    expect(end).toMatchObject({ kind: "notStarted" });
    expect(end).toHaveProperty(
      "message",
      'Could not start "bash" (E2BIG): its arguments and environment are larger than the system allows. The largest is the variable HUGE with 200000 bytes.',
    );
  });

  it("says whether the file is missing, not executable, or without its interpreter", async () => {
    const plain = join(dir, "plain.sh");
    writeFileSync(plain, "echo x\n");
    const orphan = join(dir, "orphan.sh");
    writeFileSync(orphan, "#!/no/such/interpreter\n");
    chmodSync(orphan, 0o755);
    const ends = await Promise.all([join(dir, "none"), plain, orphan].map((file) => runProcess(bash("", { line: program(file) }))));
    expect(ends.map((end) => (end.kind === "notStarted" ? end.message.replace(/^.*\((\w+)\): /, "$1: ") : end.kind))).toEqual([
      "ENOENT: there is no such file. Check the path, and that the file is where the hook is run.",
      "EACCES: the file is not executable. Try chmod +x on it.",
      "ENOENT: the file exists, but the program that its #! line names does not.",
    ]);
  });

  it("because of a null character in its arguments is a value, too", async () => {
    const end = await runProcess(bash("", { line: program("echo", "a\0b") }));
    expect(end).toMatchObject({ kind: "notStarted", message: expect.stringContaining('Could not start "echo"') });
  });
});
