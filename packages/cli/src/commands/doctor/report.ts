/** Turns findings into what a person reads, by area, and into JSON. */
import type { Engine } from "@carabiner/engine";
import { type Paint, padded, painter, type Tone, type ViewOptions, wrapped } from "../../views/index.ts";
import { AREAS, type Finding, isBad } from "./finding.ts";
import { hookCounts } from "./settings-files.ts";

const TONES: Readonly<Record<Finding["level"], Tone>> = { ok: "good", note: "muted", warning: "warning", error: "bad" };
const WIDTH = "warning".length;
const INDENT = " ".repeat(WIDTH + 4);

export function reportText(findings: readonly Finding[], { columns, colour }: ViewOptions): string {
  const paint = painter(colour);
  const areas = AREAS.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [paint("strong", area), ...own.flatMap((finding) => findingLines(finding, columns, paint)), ""];
  });
  return `${[...areas, summary(findings)].join("\n")}\n`;
}

function findingLines({ level, what, fix }: Finding, columns: number, paint: Paint): readonly string[] {
  const beside = (text: string): readonly string[] => wrapped(text, columns - INDENT.length);
  const [first = "", ...rest] = beside(what);
  return [
    `  ${paint(TONES[level], padded(level, WIDTH))}  ${first}`,
    ...[...rest, ...(fix === undefined ? [] : beside(fix.includes("\n") ? fix : `-> ${fix}`))].map((line) => INDENT + line),
  ];
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Finding["level"], noun: string): readonly string[] => {
    const n = findings.filter((finding) => finding.level === level).length;
    return n === 0 ? [] : [`${n} ${noun}${n === 1 ? "" : "s"}`];
  };
  const bad = [...count("error", "error"), ...count("warning", "warning")];
  return bad.length === 0 ? "Everything is in order." : `${bad.join(" and ")}.`;
}

export function reportJson(findings: readonly Finding[], engine: Engine): object {
  return {
    ok: !findings.some(isBad),
    projectDir: engine.projectDir,
    dialects: engine.dialects.map(({ id }) => id),
    settings: engine.layers().map((layer) => ({
      dialect: layer.dialect,
      scope: layer.scope,
      path: layer.path,
      found: layer.found,
      hooks: { ...hookCounts(engine, layer) },
    })),
    findings,
  };
}
