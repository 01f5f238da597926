/** `carabiner doctor`: examines settings, hooks, trust, programs, journal and agent, and says what to do about what it finds. */
import type { CommandModule } from "../command.ts";
import type { Io } from "../io.ts";
import { viewOptions } from "../views/index.ts";
import {
  examineAgent,
  examineHooks,
  examineJournal,
  examinePrograms,
  examineSettings,
  examineTrust,
  isBad,
  patientOf,
  reportJson,
  reportText,
} from "./doctor/index.ts";

const HELP = `
Nothing is changed, and no hook is run.

Exit codes:
  0    everything is in order
  1    there are warnings or errors`;

export const doctor: CommandModule = {
  define: (command, io, done) => {
    command
      .option("--json", "print one JSON document: settings files and findings")
      .addHelpText("after", HELP)
      .action(async (words: { readonly json?: boolean }) => done(await examine(words, io)));
  },
};

async function examine({ json }: { readonly json?: boolean }, io: Io): Promise<number> {
  const patient = await patientOf(io);
  const findings = [examineSettings, examineHooks, examineTrust, examinePrograms, examineJournal, examineAgent].flatMap((look) =>
    look(patient),
  );
  io.out(json ? `${JSON.stringify(reportJson(findings, patient.engine), null, 2)}\n` : reportText(findings, viewOptions(io)));
  return findings.some(isBad) ? 1 : 0;
}
