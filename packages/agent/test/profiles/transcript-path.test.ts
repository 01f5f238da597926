/** Where each product's hooks expect the transcript of a session. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { profileOf } from "../../src/profiles/index.ts";

const folder = mkdtempSync(join(tmpdir(), "profiles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gemini = profileOf("gemini");
const qoder = profileOf("qoder-cn");

describe("Gemini CLI's place for a transcript", () => {
  const at = (cwd: string, env = {}) =>
    join(
      gemini.transcriptDir({ home: "/h", env, cwd }),
      gemini.transcriptName("9d0c1a2b-4f7a-4c1e-9a6b-000000000000", new Date("2026-01-02T03:04:05.678Z")),
    );
  it("is below the home, by project and minute", () => {
    expect(at(folder)).toMatch(/^\/h\/\.gemini\/tmp\/profiles-[a-z0-9-]+-[0-9a-f]{8}\/chats\/session-2026-01-02T03-04-9d0c1a2b\.jsonl$/);
  });
  it("is below GEMINI_CLI_HOME if that is set", () => {
    expect(at(folder, { GEMINI_CLI_HOME: "/g" })).toMatch(/^\/g\/\.gemini\//);
    expect(at(folder, { GEMINI_CLI_HOME: "" })).toMatch(/^\/h\/\.gemini\//);
  });
  it("is one for a folder and a link to it, and differs for folders of one name", () => {
    const real = realpathSync(folder);
    for (const name of ["x", "y"]) mkdirSync(join(real, name, "app"), { recursive: true });
    symlinkSync(join(real, "x", "app"), join(real, "link"));
    expect(at(join(real, "link"))).toBe(at(join(real, "x", "app")));
    expect(at(join(real, "x", "app"))).not.toBe(at(join(real, "y", "app")));
  });
  it("can be made for any folder", () => {
    expect(at("/")).toMatch(/\/tmp\/project-[0-9a-f]{8}\/chats\//);
    expect(at("/no/such/项目 (1)")).toMatch(/\/tmp\/1-[0-9a-f]{8}\/chats\//);
  });
});

describe("Qoder CN CLI's place for a transcript", () => {
  const at = (cwd: string, env = {}) => join(qoder.transcriptDir({ home: "/h", env, cwd }), qoder.transcriptName("id-1", new Date(0)));
  it("is below the user's folder, by the path of the project with dashes", () => {
    expect(at("/no/such_a/p.x")).toBe("/h/.qoder-cn/projects/-no-such-a-p-x/id-1.jsonl");
  });
  it("is below QODERCN_CONFIG_DIR if that is set", () => {
    expect(at("/no", { QODERCN_CONFIG_DIR: "/q" })).toBe("/q/projects/-no/id-1.jsonl");
  });
});
