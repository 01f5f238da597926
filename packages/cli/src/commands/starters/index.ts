/** The starters' door: first scripts for hooks. */
export { commandText, type ScriptPlace } from "./command-text.ts";
export { EXTENSIONS, type Example, LANGUAGES, type Language, type Starter, type StarterOrder } from "./starter.ts";
export { kindOf, shellOf, writeStarter } from "./write-starter.ts";
