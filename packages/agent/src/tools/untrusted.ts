/** Turns text from outside (a command's output, a web page) into text that the model can tell from instructions. */

/** The frame Gemini CLI puts around shell output. A closing mark inside the text is defused, so that the text cannot step out of it. */
export function untrusted(text: string): string {
  return `<untrusted_context>\n${text.replace(/<(\/?)untrusted_context/gi, "&lt;$1untrusted_context")}\n</untrusted_context>`;
}
