/** This version, as package.json says it. */
import { readFileSync } from "node:fs";

const read = (): string => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string };
  return version;
};
export const VERSION: string = read();
