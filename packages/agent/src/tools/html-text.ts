/** Turns an HTML page into Markdown that a model can read. */
import { createContext, Script } from "node:vm";
import TurndownService from "turndown";

/**
 * Headings, lists, links and code stay; scripts, styles, pictures and forms go. A page that takes longer than `maxMs`, or is nested
 * deeper than the stack, comes as its bare text.
 */
export function htmlText(html: string, maxMs = 1_500): string {
  return tidy(within(maxMs, () => markdown().turndown(html)) ?? bareText(html));
}

function markdown(): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.remove([
    "script",
    "style",
    "noscript",
    "iframe",
    "object",
    "canvas",
    "template",
    "form",
    "button",
    "input",
    "select",
    "textarea",
  ]);
  service.addRule("pictures", {
    filter: ["img", "picture", "video", "audio"],
    replacement: (_content, node) => ("getAttribute" in node ? (node.getAttribute("alt") ?? "") : ""),
  });
  return service;
}

const tidy = (text: string): string => text.replace(/\n{3,}/g, "\n\n").trim();

/** Some pages of 300 kB keep the converter busy for minutes, and only code run through `vm` can be interrupted. */
function within(maxMs: number, work: () => string): string | undefined {
  const box = { work, result: "" };
  try {
    new Script("result = work()").runInContext(createContext(box), { timeout: maxMs });
    return box.result;
  } catch (error) {
    // An error of the other context is no instance of this one's Error.
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
    if (error instanceof RangeError || code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

/** Without the tags, in one pass: an expression could be made to backtrack. */
function bareText(html: string): string {
  const lower = html.toLowerCase();
  const texts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    if (open === -1) {
      texts.push(html.slice(at));
      break;
    }
    texts.push(html.slice(at, open));
    const name = /^<(script|style)\b/.exec(lower.slice(open, open + 8))?.[1];
    const end = name === undefined ? open : lower.indexOf(`</${name}`, open);
    const close = end === -1 ? -1 : html.indexOf(">", end);
    if (close === -1) break;
    at = close + 1;
  }
  return texts.join(" ").replace(/[ \t]+/g, " ");
}
