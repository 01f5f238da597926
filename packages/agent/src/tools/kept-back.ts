/** Turns a path that the product's ignore file hides into a refusal. */
import { type Failed, failed } from "./failed.ts";
import { productRules } from "./ignored.ts";
import type { Place } from "./inside.ts";
import type { ToolContext } from "./tool.ts";

/** The product's ignore files: those of the context, else `.geminiignore`. */
export const productIgnoreFiles = (ctx: Pick<ToolContext, "ignoreFiles">): readonly string[] => ctx.ignoreFiles ?? [".geminiignore"];

/** What the person keeps from the agent stays unread and unwritten, also when it is asked for by name. .gitignore does not say that. */
export function keptBack({ path, root, shown }: Place, ctx: ToolContext, isFolder = false): Failed | undefined {
  const files = productIgnoreFiles(ctx);
  if (!productRules(root, files)(path, isFolder)) return undefined;
  return failed("permission_denied", `${shown}: the person keeps this from the agent (${files.join(", ")}).`);
}
