/** Servers that print what is no message: told what they said, and not waited for without end. */
import { expect, it, onTestFinished } from "vitest";
import { call, connected, stdio } from "./fixture.ts";

const sh = (script: string) => ({ command: "sh", args: ["-c", script] });
const failing = async (script: string, startTimeoutMs?: number): Promise<string> => {
  const { mcp, problems } = await connected({ bad: sh(script) }, startTimeoutMs === undefined ? {} : { startTimeoutMs });
  onTestFinished(() => mcp.close());
  expect(mcp.servers).toMatchObject([{ name: "bad", state: "failed" }]);
  return problems[0]?.what ?? "";
};

it("a program that prints without end is ended, long before its time is up", async () => {
  expect(await failing("yes nonsense", 60_000)).toContain(
    "it printed more than 1 MiB that is no message of the protocol; on stdout it said: nonsense",
  );
});

it("a program that waits for something else says what, on either stream", async () => {
  expect(await failing("echo 'Ok to proceed? (y)' >&2; echo Menu; exec sleep 60", 500)).toContain(
    "it did not answer within 0.5 s; it said: Ok to proceed? (y); on stdout it said: Menu",
  );
});

it("a program that ends says what it printed", async () => {
  expect(await failing("echo usage: serve PORT; exit 2")).toContain("exit code 2; on stdout it said: usage: serve PORT");
});

it("logs between the messages are skipped, in pieces as small as they come", async () => {
  const { mcp, problems } = await connected({ fix: stdio("mcp-server") });
  onTestFinished(() => mcp.close());
  expect(problems).toEqual([]);
  expect((await call(mcp, "echo", { text: "x".repeat(250_000) })).content).toHaveLength(250_006);
});
