/** Turns the bytes of a server's stdout into the messages in them, and keeps what else it prints within bounds. */
import { deserializeMessage, type JSONRPCMessage } from "@modelcontextprotocol/client";

/** Images come as base64 in one line. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Between two messages. A log that went to the wrong stream is less; a program that is no server prints without end. */
const MAX_NOISE_BYTES = 1024 * 1024;

export interface MessageLines {
  /** Messages in the order of their lines. `flood` says that no more is to be read, and why. */
  readonly read: (chunk: Buffer) => { readonly messages: readonly JSONRPCMessage[]; readonly flood?: string };
  /** The first line since the last message that was none, cut; `undefined` while there is none. */
  readonly noise: () => string | undefined;
}

export function messageLines(): MessageLines {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let noiseBytes = 0;
  let noise: string | undefined;
  let flood: string | undefined;

  const messageOf = (line: Buffer): JSONRPCMessage | undefined => {
    if (line[0] === OPENING_BRACE) {
      try {
        return deserializeMessage(line.toString("utf8"));
      } catch {
        // No JSON, or none that is a message of the protocol: noise.
      }
    }
    const said =
      noise === undefined
        ? line
            .toString("utf8", 0, 200)
            .replace(/[\s\x00-\x1f\x7f]+/g, " ")
            .trim()
        : "";
    if (said !== "") noise = said;
    noiseBytes += line.length + 1;
    return undefined;
  };
  return {
    noise: () => noise,
    read: (chunk) => {
      const messages: JSONRPCMessage[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_END); at !== -1 && flood === undefined; at = chunk.indexOf(LINE_END, from)) {
        const message = messageOf(rest.length === 0 ? chunk.subarray(from, at) : Buffer.concat([...rest, chunk.subarray(from, at)]));
        rest = [];
        restBytes = 0;
        from = at + 1;
        if (message) {
          messages.push(message);
          noiseBytes = 0;
          noise = undefined;
        } else if (noiseBytes > MAX_NOISE_BYTES) flood = "it printed more than 1 MiB that is no message of the protocol";
      }
      if (from < chunk.length) {
        rest.push(chunk.subarray(from));
        restBytes += chunk.length - from;
        if (restBytes > MAX_MESSAGE_BYTES) flood ??= "it printed a line of more than 64 MiB";
      }
      if (flood !== undefined) rest = [];
      return { messages, ...(flood === undefined ? {} : { flood }) };
    },
  };
}

const LINE_END = 10;
const OPENING_BRACE = 0x7b;
