/** Shows the messages of hooks that the agent's user sees. */
import type { Story } from "@carabiner/engine";
import { quoted } from "./block.ts";
import { hanging } from "./fit.ts";

/** Hooks' own messages, each under its hook's name; warnings about hooks are counted, since they are told with their hooks. */
export function messageLines({ fired }: Story, nameOf: (id: string) => string, indent: string, columns: number): readonly string[] {
  const own = fired.verdict.messages.filter(({ level }) => level === "info");
  const warnings = fired.verdict.messages.length - own.length;
  return [
    ...own.flatMap(({ text, entry }) => [
      ...hanging(`${nameOf(entry)}:`, columns, indent, indent),
      ...quoted(text, `${indent}  `, columns),
    ]),
    ...(warnings === 0
      ? []
      : [`${indent}${warnings === 1 ? "A warning about a hook" : `${warnings} warnings about hooks`}, as told above.`]),
  ];
}
