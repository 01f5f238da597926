// Turns the schema in cases.ts into cases.schema.json: `node conformance/schema.mjs`, after a change there.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { outputFiles } = await build({ entryPoints: [at("cases.ts")], bundle: true, write: false, format: "esm", platform: "node" });
const { casesJsonSchema } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
writeFileSync(at("cases.schema.json"), JSON.stringify(casesJsonSchema(), undefined, 2));
spawnSync("npx", ["biome", "format", "--write", at("cases.schema.json")], { stdio: "inherit" });
