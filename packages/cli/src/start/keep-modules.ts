/** Has Node keep what V8 compiles of the ES modules that are loaded from now on, where Node can. */
import * as nodeModule from "node:module";

/** Source: the Node.js documentation, "module.constants.compileCacheStatus". */
const FAILED = 0;

/** Node 22.1 and later can; before, those modules are compiled each time. The first folder that can be used is. */
export function keepModules(folders: readonly string[]): void {
  const enable: unknown = Reflect.get(nodeModule, "enableCompileCache");
  if (typeof enable !== "function") return;
  for (const folder of folders) {
    const { status } = enable(folder) as { readonly status: number };
    if (status !== FAILED) return;
  }
}
