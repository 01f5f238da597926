import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-short-")));
const engine = join(root, "engine.mjs");
beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../src/index.ts", import.meta.url))],
    outfile: engine,
    bundle: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "esm",
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a host of its own, with few file descriptors, says: before they were used up, while none was free, and afterwards. */
function host(files: Readonly<Record<string, string>>, options = ""): unknown {
  const place = mkdtempSync(join(root, "host-"));
  const all = { "project/.keep": "", "home/.keep": "", ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text, { mode: 0o755 });
  }
  writeFileSync(
    join(place, "host.mjs"),
    `import { openSync, closeSync, utimesSync } from "node:fs";
import { createEngine } from ${JSON.stringify(engine)};
const place = ${JSON.stringify(place)};
const engine = createEngine({ cwd: place + "/project", home: place + "/home", stateDir: place + "/state", dialects: ["gemini"], record: "every", ${options} });
const session = engine.session();
const tell = async () => {
  const { action, reason, record } = await session.fire("beforeTool", { tool: { name: "x", input: {} } });
  return [action, reason ?? "", ...record.runs.map(({ status }) => status), ...Object.values(record.changed).map(({ status }) => status)];
};
if (engine.trust) engine.trust.approve(engine.projectDir, engine.judged(engine.hooks()));
const before = await tell();
for (const name of ${JSON.stringify(Object.keys(files))}) utimesSync(place + "/" + name, 1000, 1000);
const held = [];
try { for (;;) held.push(openSync("/dev/null", "r")); } catch {}
const during = await tell();
for (const file of held) closeSync(file);
const after = await tell();
const problems = engine.problems().map(({ code }) => code);
process.stdout.write(JSON.stringify({ before, during, after, problems }));
`,
  );
  const { stdout, stderr } = spawnSync("bash", ["-c", `ulimit -n 120; exec "$0" "$1"`, process.execPath, join(place, "host.mjs")], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const denies = JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }] } });

describe("a host that has used up its file descriptors", () => {
  const kept = { before: ["block", "no", "ok"], during: ["proceed", "", "notStarted"], after: ["block", "no", "ok"], problems: [] };

  it("keeps the hooks it has read, says that they could not be started, and has them back afterwards", () => {
    expect(host({ "home/.gemini/settings.json": denies })).toEqual(kept);
  });

  it("keeps those of extensions, too", () => {
    expect(
      host({ "home/.gemini/extensions/one/hooks/hooks.json": denies, "home/.gemini/extensions/one/gemini-extension.json": "{}" }),
    ).toEqual(kept);
  });

  it("takes no script for changed that it could not read", () => {
    const script = { hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] } };
    const files = { "project/.gemini/settings.json": JSON.stringify(script), "project/guard.sh": "#!/bin/sh\necho no >&2\nexit 2\n" };
    const { during: _, ...told } = host(files, `trust: "require", folderTrust: true`) as { readonly during: unknown };
    expect(told).toEqual({ before: kept.before, after: kept.after, problems: [] });
  });
});
