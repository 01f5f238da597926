/** Turns a JSON object into the same object with other strings: iterative, since data may nest deeper than the stack. */
import type { Json, JsonObject } from "../protocol/index.ts";

interface Target {
  [key: string]: Json;
}

/** `key` renames keys; a name that is taken already gets a number, so that nothing is lost. */
export function mapStrings(value: JsonObject, text: (text: string) => string, key?: (key: string) => string): JsonObject {
  const root = emptyObject();
  const queue: { readonly source: JsonObject | readonly Json[]; readonly target: Target | Json[] }[] = [{ source: value, target: root }];
  const mapped = (child: Json): Json => {
    if (typeof child === "string") return text(child);
    if (typeof child !== "object" || child === null) return child;
    const target = Array.isArray(child) ? [] : emptyObject();
    queue.push({ source: child, target });
    return target;
  };
  for (const { source, target } of queue) {
    if (Array.isArray(target)) for (const child of Object.values(source)) target.push(mapped(child));
    else for (const [name, child] of Object.entries(source)) target[free(target, key ? key(name) : name)] = mapped(child);
  }
  return root;
}

/** Without a prototype, so that a key called `__proto__` is a key. */
function emptyObject(): Target {
  return Object.create(null);
}
function free(target: Target, name: string): string {
  let candidate = name;
  for (let n = 2; Object.hasOwn(target, candidate); n++) candidate = `${name} (${n})`;
  return candidate;
}
