// Turns vitest's JSON report into "<passed> <failed>". A file that could not be loaded, or a run without any test, counts as one failure.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const unloaded = report.testResults.filter(
  (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
).length;
const empty = report.numTotalTests === 0 ? 1 : 0;
let failed = report.numFailedTests + unloaded + empty;
if (failed === 0 && report.success === false) failed = 1;
process.stdout.write(`${report.numPassedTests} ${failed}\n`);
