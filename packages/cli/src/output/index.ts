/** The door of the room `output`: what is printed, and where. */
export type { AgentOutput, Ending } from "./agent-output.ts";
export { banner } from "./banner.ts";
export { jsonOutput } from "./json.ts";
export { people } from "./people.ts";
export { streamJsonOutput } from "./stream-json.ts";
export { textOutput } from "./text.ts";
