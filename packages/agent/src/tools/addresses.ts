/** Turns a text into the web addresses that stand in it. */

/** Each once, in the order of the text, without what ends a sentence. */
export function addressesIn(text: string): readonly string[] {
  return [...new Set((text.match(/https?:\/\/[^\s<>"'`\\^{}|]+/gi) ?? []).map(withoutSentenceEnd))].filter((found) => URL.canParse(found));
}

/** `(see https://a.example/b_(c)).` means `https://a.example/b_(c)`. */
function withoutSentenceEnd(url: string): string {
  let end = url.length;
  let unopened = url.split(")").length - url.split("(").length;
  while (end > 0 && (".,;:!?*_~]".includes(url.charAt(end - 1)) || (url.charAt(end - 1) === ")" && unopened > 0))) {
    if (url.charAt(end - 1) === ")") unopened -= 1;
    end -= 1;
  }
  return url.slice(0, end);
}
