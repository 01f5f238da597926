// Turns figures into lines for people, one a goal: what was measured, how it stands to what, the goal, and whether it is reached.

const shown = (value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value >= 0.095 ? value.toFixed(2) : value.toPrecision(2);

/** A ratio of min and of median; reached when both are within the goal. No goal: only told. */
export function tellRatio(what, { min, median }, goal) {
  const stands = goal === undefined ? "" : `   goal <= ${shown(goal)}: ${min <= goal && median <= goal ? "reached" : "NOT REACHED"}`;
  process.stdout.write(`  ${what.padEnd(58)} min ${shown(min).padStart(6)} x   median ${shown(median).padStart(6)} x${stands}\n`);
}

/** One figure with its unit, and its goal in the same unit. */
export function tellFigure(what, value, unit, goal) {
  const stands = goal === undefined ? "" : `   goal <= ${goal} ${unit}: ${value <= goal ? "reached" : "NOT REACHED"}`;
  process.stdout.write(`  ${what.padEnd(58)} ${shown(value)} ${unit}${stands}\n`);
}

export function tellNote(text) {
  process.stdout.write(`  ${text}\n`);
}
