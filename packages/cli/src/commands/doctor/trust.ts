/** Examines trust: what is decided about the folder, and which project hooks were never approved as they are. */
import { homePath, oneLine } from "../../views/index.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";
import type { Patient } from "./patient.ts";
import { findingOf } from "./settings-files.ts";

const AREA = "Trust";

export function examineTrust({ engine, io }: Patient): readonly Finding[] {
  const around = { projectDir: engine.projectDir, home: io.home };
  const { trusted, by } = engine.folder();
  const forbidden = engine.problems().filter(({ code }) => code === "PROJECT_HOOKS_FORBIDDEN" || code === "TRUST_STORE_BAD");
  const store = engine.trust.load().problems.map((problem) => findingOf(AREA, problem, around));
  const open = engine
    .standings()
    .filter(({ state, entry: { barred } }) => state !== "approved" && (barred === undefined || barred.status === "untrusted"));
  const names = open.map(({ entry, state }) => `${oneLine(entry.name)} (${state})`).join(", ");
  const policy = engine.snapshot().carabiner.trust;
  return [
    trusted === undefined
      ? warning(
          AREA,
          "Nobody has decided whether to trust this folder: an agent that cannot ask does not start here.",
          "carabiner trust approve --folder, or revoke --folder",
        )
      : trusted
        ? ok(AREA, `The folder is trusted (${homePath(oneLine(by), io.home)}).`)
        : warning(
            AREA,
            `The folder is not trusted (${homePath(oneLine(by), io.home)}): none of its hooks run.`,
            "Read them, then: carabiner trust approve --folder",
          ),
    ...forbidden.map((problem) => findingOf(AREA, problem, around)),
    ...store,
    ...(open.length === 0
      ? []
      : [
          policy === "require"
            ? error(
                AREA,
                `Not approved as ${open.length === 1 ? "it is now, so that it does" : "they are now, so that they do"} not run: ${names}.`,
                `Read ${open.length === 1 ? "it" : "them"} with carabiner trust list, then: carabiner trust approve`,
              )
            : note(
                AREA,
                `Not approved as ${open.length === 1 ? "it is" : "they are"} now: ${names}.`,
                `carabiner trust list shows ${open.length === 1 ? "it" : "them"} in full.`,
              ),
        ]),
  ];
}
