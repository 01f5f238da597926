/** Which model is taken, and what somebody without one is told. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseModel, type ModelWish } from "../../src/models/index.ts";
import { baseUrlOf } from "../../src/models/providers.ts";
import { all, ask, failureOf, modelAt, partsOf, serve, stands } from "./against.ts";

const keys = { GEMINI_API_KEY: "g", OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" };

function chosen(wish: Partial<ModelWish>): string {
  const choice = chooseModel({ cwd: "/", env: {}, ...wish });
  return choice.ok ? `${choice.model.provider}/${choice.model.name}` : choice.message;
}

describe("what names a model", () => {
  it.each<[string, Partial<ModelWish>, string]>([
    [
      "the flag before everything",
      { flag: "openai/gpt-4o", setting: "claude-x", env: { ...keys, GEMINI_MODEL: "gemini-y" } },
      "openai/gpt-4o",
    ],
    ["GEMINI_MODEL before the setting", { setting: "claude-x", env: { ...keys, GEMINI_MODEL: "gemini-y" } }, "google/gemini-y"],
    ["the setting before the keys", { setting: "claude-x", env: keys }, "anthropic/claude-x"],
    ["the first key: Google", { env: keys }, "google/gemini-3.5-flash"],
    ["the first key: OpenAI", { env: { ...keys, GEMINI_API_KEY: "" } }, "openai/gpt-5.2"],
    ["the first key: Anthropic", { env: { ANTHROPIC_API_KEY: "a" } }, "anthropic/claude-sonnet-5"],
    ["an empty flag is none", { flag: "", setting: "", env: { ANTHROPIC_API_KEY: "a" } }, "anthropic/claude-sonnet-5"],
    ["auto is none", { setting: "auto", env: { OPENAI_API_KEY: "o" } }, "openai/gpt-5.2"],
    ["auto-gemini-3 is none", { setting: "auto-gemini-3", env: { OPENAI_API_KEY: "o" } }, "openai/gpt-5.2"],
    ["pro is Google's newest", { setting: "pro", env: keys }, "google/gemini-pro-latest"],
    ["a bare gemini name", { flag: "gemini-2.5-pro", env: keys }, "google/gemini-2.5-pro"],
    ["a bare claude name", { flag: "claude-opus-5", env: keys }, "anthropic/claude-opus-5"],
    ["a bare gpt name", { flag: "gpt-5-mini", env: keys }, "openai/gpt-5-mini"],
    ["a bare o name", { flag: "o4-mini", env: keys }, "openai/o4-mini"],
    ["any bare name with an endpoint of one's own", { flag: "llama3.2:3b", env: { OPENAI_BASE_URL: "http://x/v1" } }, "openai/llama3.2:3b"],
    ["a name with slashes behind the prefix", { flag: "openai/meta/llama-4", env: keys }, "openai/meta/llama-4"],
    [
      "a router's name with an endpoint of one's own",
      { flag: "meta/llama-4", env: { OPENAI_BASE_URL: "http://x/v1" } },
      "openai/meta/llama-4",
    ],
  ])("%s", (_, wish, name) => {
    expect(chosen(wish)).toBe(name);
  });
});

describe("what somebody without a model is told", () => {
  it("shows every way to get one", () => {
    const message = chosen({});
    for (const way of [...Object.keys(keys), "Ollama", "OPENAI_BASE_URL=", "--model script/FILE"]) expect(message).toContain(way);
  });

  it("names the missing key of the model that was asked for", () => {
    expect(chosen({ flag: "claude-opus-5", env: { GEMINI_API_KEY: "g" } })).toMatch(
      /^No key for anthropic\/claude-opus-5 .*ANTHROPIC_API_KEY is not set/,
    );
    expect(chosen({ flag: "openai/gpt-5.2" })).toMatch(/OPENAI_API_KEY is not set/);
  });

  it("asks for a name when only the endpoint is known", () => {
    expect(chosen({ env: { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" } })).toContain("Add --model openai/NAME");
  });

  it("asks whose model an unknown name is", () => {
    expect(chosen({ flag: "llama3", env: keys })).toContain('No provider for the model "llama3". Say whose it is');
  });

  it("refuses half a name, and a base URL that is none", () => {
    expect(chosen({ flag: "openai/", env: keys })).toContain("lacks a name after the slash");
    expect(chosen({ flag: "openai/x", env: { OPENAI_BASE_URL: "localhost:11434" } })).toContain(
      'OPENAI_BASE_URL is "localhost:11434": expected',
    );
  });

  it("does not repeat the password of a base URL", () => {
    const message = chosen({ flag: "openai/x", env: { OPENAI_BASE_URL: "https://me:hidden@gate.example/v1" } });
    expect(message).toContain('OPENAI_BASE_URL is "https://...@gate.example/v1": expected');
  });

  it("takes names out of JavaScript's own for names", () => {
    expect(chosen({ flag: "__proto__" })).toContain('No provider for the model "__proto__"');
    expect(chosen({ flag: "constructor/x", env: keys })).toContain('No provider for the model "constructor/x"');
  });

  it("never repeats a key", () => {
    for (const flag of ["nobody", "script/none", "openai/"])
      expect(chosen({ flag, env: { OPENAI_API_KEY: "sk-hidden" } })).not.toContain("sk-hidden");
  });
});

it("adds the version only where it is missing", () => {
  expect(baseUrlOf("google", "https://gate.example/gemini")).toBe("https://gate.example/gemini/v1beta");
  expect(baseUrlOf("google", "https://gate.example/v1alpha/")).toBe("https://gate.example/v1alpha");
  expect(baseUrlOf("openai", "https://gate.example/openai")).toBe("https://gate.example/openai");
  expect(baseUrlOf("anthropic", "https://gate.example/claude/")).toBe("https://gate.example/claude/v1");
  expect(baseUrlOf("anthropic", undefined)).toBe("https://api.anthropic.com/v1");
  expect(baseUrlOf("openai", "ftp://x")).toBeUndefined();
});

it("takes the window from the table, unless one is given", () => {
  const window = (wish: Partial<ModelWish>): number => {
    const choice = chooseModel({ cwd: "/", env: keys, ...wish });
    if (!choice.ok) throw new Error(choice.message);
    return choice.model.contextWindow;
  };
  expect(window({ flag: "gemini-2.5-pro" })).toBe(1_048_576);
  expect(window({ flag: "gemini-2.5-pro", contextWindow: 5_000 })).toBe(5_000);
});

it("sends a call that a hook renamed to whoever has that model", async () => {
  const anthropic = await serve("anthropic", [{ text: "from Anthropic" }]);
  const openai = await serve("openai", [{ text: "from OpenAI" }, { text: "again" }]);
  const model = modelAt(stands.openai, openai.url, { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: anthropic.url });
  expect(partsOf(await all(ask(model, { model: "claude-haiku-4-5" })))).toMatchObject([{ text: "from Anthropic" }]);
  expect(partsOf(await all(ask(model, { model: "some-fine-tune" })))).toMatchObject([{ text: "from OpenAI" }]);
  expect(partsOf(await all(ask(model, { model: "openai/gpt-4o" })))).toMatchObject([{ text: "again" }]);
  expect(anthropic.requests[0]!.body.model).toBe("claude-haiku-4-5");
  expect(openai.requests.map(({ body }) => body.model)).toEqual(["some-fine-tune", "gpt-4o"]);
  expect(await failureOf(ask(model, { model: "gemini-2.5-pro" }))).toMatchObject({
    kind: "badRequest",
    message: expect.stringMatching(/^A hook asked for the model "gemini-2.5-pro"\. No key for google/),
  });
});

it("opens a script by its path, relative to the working directory", async () => {
  const dir = mkdtempSync(join(tmpdir(), "carabiner-choose-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "a b.jsonl"), '{"text":"hi"}\n');
  for (const flag of ["script/a b.jsonl", `script/${join(dir, "a b.jsonl")}`]) {
    const choice = chooseModel({ flag, cwd: dir, env: {} });
    if (!choice.ok) throw new Error(choice.message);
    expect(choice.model).toMatchObject({ provider: "script", name: "a b.jsonl" });
    expect(partsOf(await all(ask(choice.model)))).toEqual([{ type: "text", text: "hi" }]);
  }
});

it("loads no provider and no HTTP client before the first stream", async () => {
  const entry = fileURLToPath(new URL("../../src/models/index.ts", import.meta.url));
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    packages: "external",
    platform: "node",
    metafile: true,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const heavy = imports.filter(({ path }) => /^(@ai-sdk\/|undici$)/.test(path));
  expect(heavy.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
    "dynamic-import @ai-sdk/anthropic",
    "dynamic-import @ai-sdk/google",
    "dynamic-import @ai-sdk/openai-compatible",
    "dynamic-import undici",
  ]);
});
