/** The door of the examinations. */

export { examineAgent } from "./agent.ts";
export { findProgram } from "./find-program.ts";
export { type Finding, isBad } from "./finding.ts";
export { examineHooks } from "./hooks.ts";
export { examineJournal } from "./journal.ts";
export { patientOf } from "./patient.ts";
export { examinePrograms } from "./programs.ts";
export { reportJson, reportText } from "./report.ts";
export { examineSettings } from "./settings-files.ts";
export { examineTrust } from "./trust.ts";
