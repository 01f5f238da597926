// Turns the schemas in the sources into the published JSON Schema files. `--check` writes nothing and fails where a file is not what it would be.
import { formatted, publish, sources } from "./sources.mjs";

const { journalJsonSchema } = await sources("packages/engine/src/protocol/index.ts");
const file = "packages/engine/schemas/journal.schema.json";
publish(file, formatted(file, JSON.stringify({ title: "One line of a Carabiner journal", ...journalJsonSchema() })));
