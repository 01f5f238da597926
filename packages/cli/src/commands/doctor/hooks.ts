/** Examines the hooks: what is wrong with each, which are switched off, and whose matcher fits nothing. */
import { closest, createEngine, type Dialect, type Entry } from "@carabiner/engine";
import { oneLine } from "../../views/index.ts";
import { makeFacts } from "../fire-facts.ts";
import { counterpartOf } from "../tool-words.ts";
import { type Finding, note, ok, warning } from "./finding.ts";
import type { Patient } from "./patient.ts";
import { findingOf } from "./settings-files.ts";

export function examineHooks(patient: Patient): readonly Finding[] {
  const { engine, io, active } = patient;
  const around = { projectDir: engine.projectDir, home: io.home };
  const all = engine.hooks();
  if (all.length === 0) return [note("Hooks", "No hooks are configured.", "carabiner init writes a first one.")];
  const problems = engine.problems().filter(({ hook }) => hook !== undefined);
  const off = all.filter(({ barred }) => barred?.status === "disabled");
  const told = new Set(problems.map(({ hook }) => hook));
  const silent = all.filter(
    ({ barred, name }) => barred !== undefined && !["disabled", "untrusted"].includes(barred.status) && !told.has(name),
  );
  return [
    all.length === active.length
      ? ok(
          "Hooks",
          `${all.length === 1 ? "The one configured hook runs when its event and matcher fit." : `All ${all.length} hooks run when their event and matcher fit.`}`,
        )
      : note(
          "Hooks",
          `${active.length} of ${all.length} hooks run when their event and matcher fit.`,
          "carabiner hooks list says why the others do not.",
        ),
    ...off.map(({ name, barred }) =>
      note("Hooks", `${oneLine(name)} is switched off by ${barred?.why ?? "settings"}.`, `carabiner hooks enable ${shellWord(name)}`),
    ),
    ...silent.map(({ name, barred }) => warning("Hooks", `${oneLine(name)} never runs: ${barred?.why ?? "it cannot be used"}.`)),
    ...problems.map((problem) => findingOf("Hooks", problem, around)),
    ...engine.dialects.flatMap((dialect) => matcherFindings(patient, dialect)),
  ];
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The engine itself is asked, for every tool that the product has, and for those of the session that it has no word for: they keep their names. */
function matcherFindings({ engine, io, active }: Patient, dialect: Dialect): readonly Finding[] {
  const concerned = active.filter((entry) => entry.dialect === dialect.id && entry.matcher !== undefined && isAboutTools(dialect, entry));
  if (concerned.length === 0) return [];
  const asked = createEngine({ cwd: io.cwd, home: io.home, env: io.env, dialects: [dialect.id], tools: dialect.id });
  const entries = asked.hooks();
  const reached = new Set<string>();
  const foreign = engine.words.tools.filter(({ kind }) => !dialect.tools.tools.some((word) => word.kind === kind)).map(({ name }) => name);
  for (const wireName of new Set(concerned.map((entry) => entry.wireName))) {
    const row = dialect.rows[wireName];
    if (row === undefined) continue;
    for (const tool of [...toolNames(dialect), ...foreign]) {
      const facts = makeFacts({ dialect, wireName, row }, { tool, mcp: undefined, input: undefined });
      if (!facts.ok) throw new TypeError(facts.problem);
      asked
        .session()
        .plan(row.on, facts.facts)
        .statuses.forEach((status, i) => {
          const id = entries[i]?.id;
          if (status !== "notMatched" && id !== undefined) reached.add(`${wireName} ${id}`);
        });
    }
  }
  return concerned.filter(({ wireName, id }) => !reached.has(`${wireName} ${id}`)).map((entry) => fitsNothing(entry, dialect));
}

const isAboutTools = ({ rows }: Dialect, { wireName }: Entry): boolean =>
  Object.hasOwn(rows, wireName) && Object.hasOwn(rows[wireName]?.stdin ?? {}, "tool_name");
const toolNames = ({ tools: { tools } }: Dialect): readonly string[] => [
  ...new Set(tools.flatMap(({ name, aliases = [] }) => [name, ...aliases])),
];

function fitsNothing({ name, matcher = "" }: Entry, dialect: Dialect): Finding {
  const what = `${oneLine(name)}: its matcher ${JSON.stringify(oneLine(matcher))} fits no built-in tool of ${dialect.title}`;
  // Names of MCP tools are known only once their servers run.
  if (/mcp/i.test(matcher)) return note("Hooks", `${what}; it may fit tools of MCP servers.`);
  const [word = matcher] = matcher.match(/\w+/) ?? [];
  const counterpart = counterpartOf(word, dialect)?.name ?? closest(word, toolNames(dialect));
  return warning(
    "Hooks",
    `${what}, and runs for none.`,
    counterpart === undefined ? `The tools are: ${toolNames(dialect).join(", ")}.` : `Did you mean ${counterpart}?`,
  );
}
