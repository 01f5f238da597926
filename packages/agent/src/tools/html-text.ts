/** Turns an HTML page into Markdown that a model can read. */
import TurndownService from "turndown";

/** Headings, lists, links and code stay; scripts, styles, pictures and forms go. Of a page nested too deep to be read as a tree, the bare text. */
export function htmlText(html: string): string {
  try {
    return tidy(markdown().turndown(html));
  } catch (error) {
    // RangeError: the tree is deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
    return tidy(html.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<[^>]*>/g, " "));
  }
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
