// What a journal adds to a firing: a line is written for each, beside nothing but a function of the host that runs.
import { join } from "node:path";
import { attachJournal, readJournal } from "@carabiner/engine/journal";
import { interleave, median, min, ratio } from "./interleave.mjs";
import { tellFigure, tellRatio } from "./report.mjs";
import { engineWith, must } from "./workplace.mjs";

const FIRINGS = 200;
const ROUNDS = 20;
const facts = { tool: { name: "run_shell_command", input: { command: "ls -la", description: "List the folder" }, callId: "c1" } };
const host = (attached) => {
  const { engine, root } = engineWith({});
  engine.register("beforeTool", () => undefined);
  const dir = join(root, "journal");
  return { engine, dir, journal: attached ? attachJournal(engine, dir) : undefined, session: engine.session({ id: "bench" }) };
};
const [plain, kept] = [host(false), host(true)];
const many = (fire, flush) => async () => {
  const began = performance.now();
  for (let i = 0; i < FIRINGS; i++) await fire();
  flush();
  return ((performance.now() - began) / FIRINGS) * 1000;
};
const times = await interleave(
  {
    plain: many(
      () => plain.session.fire("beforeTool", facts),
      () => undefined,
    ),
    kept: many(
      () => kept.session.fire("beforeTool", facts),
      () => kept.journal.flush(),
    ),
  },
  { rounds: ROUNDS, warmup: 4 },
);
must(readJournal(kept.dir, { session: "bench" }).stories.length > FIRINGS, "every firing is in the journal");
tellFigure("a firing of one function, no journal: min", min(times.plain), "us");
tellFigure("what the journal adds, written and flushed: min", min(times.kept) - min(times.plain), "us");
tellFigure("the same, median", median(times.kept) - median(times.plain), "us");
tellRatio("a firing with a journal, over one without", ratio(times.kept, times.plain));
await kept.journal.close();
await Promise.all([plain.engine.dispose(), kept.engine.dispose()]);
