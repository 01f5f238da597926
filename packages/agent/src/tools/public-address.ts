/** Turns an IP address into yes or no: does it belong to the public internet? */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * False for loopback, private, link-local, shared, multicast, documentation and reserved addresses, for anything that is no address, and
 * for an IPv6 address that carries such an IPv4 address in it. Source: IANA special-purpose address registries (RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIPv4(bare)) return !closed.check(bare, "ipv4");
  if (!isIPv6(bare)) return false;
  const words = wordsOf(bare);
  const carried = CARRIERS.find(({ starts }) => starts.every((word, i) => words[i] === word));
  if (carried !== undefined) return isPublicAddress(ipv4Of(words[carried.at] ?? 0, words[carried.at + 1] ?? 0));
  return !closed.check(bare, "ipv6");
}

const closed = new BlockList();
for (const [net, prefix] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
  ] as const),
  ...([
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
] as const) {
  closed.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
  ["100::", 64],
  ["2001:db8::", 32],
  ["64:ff9b:1::", 48],
] as const) {
  closed.addSubnet(net, prefix, "ipv6");
}

/** Mapped (RFC 4291), NAT64 (RFC 6052) and 6to4 (RFC 3056): where the IPv4 address stands, in words of 16 bits. */
const CARRIERS: readonly { readonly starts: readonly number[]; readonly at: number }[] = [
  { starts: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { starts: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { starts: [0x2002], at: 1 },
];

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");

/** The eight words of an address in any of its spellings. */
function wordsOf(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [, front = "", a, b, c, d] = dotted ?? [];
  const plain =
    dotted === null ? address : `${front}${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`;
  const [head = "", tail] = plain.split("::");
  const words = (text: string): readonly number[] => (text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16)));
  if (tail === undefined) return words(head);
  const before = words(head);
  const after = words(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
