/** The door of the room `start`: what `bin/carabiner.js` loads. Built into a file of its own, since it is what loads the others. */
export { start } from "./start.ts";
