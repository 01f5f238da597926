// Turns the repository into one test run: every package and the conformance cases, in bounded parallel processes.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Variables that would make a test depend on the machine it runs on. Node reads some of them only at start, so they go before the workers start. */
const foreign =
  /^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|FORCE_COLOR|NO_COLOR|npm_.*|(https?|all|no)_proxy|(GEMINI|GOOGLE|OPENAI|ANTHROPIC|QODER|CLAUDE|CARABINER|XDG|MCP)_.*)$/i;
for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@carabiner\/engine$/, replacement: at("packages/engine/src/index.ts") },
      { find: /^@carabiner\/engine\/journal$/, replacement: at("packages/engine/src/journal/index.ts") },
      { find: /^@carabiner\/agent$/, replacement: at("packages/agent/src/index.ts") },
    ],
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"],
    globalSetup: ["vitest.homes.ts"],
    setupFiles: ["vitest.setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      reporter: ["text-summary", "json-summary", "html"],
    },
  },
});
