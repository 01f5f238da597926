/** Turns an argument that a call lacks into the sentence that has the model call again with it. */
export const lacking = (name: string, given: readonly string[]): string =>
  `${name}: this argument is required. The call had ${given.length > 0 ? `only ${given.join(", ")}` : "no arguments"}; nothing was done. Call again with it.`;
