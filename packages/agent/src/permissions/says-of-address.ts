/** Turns the address or the host in a rule and the text of a call into whether the rule speaks of the addresses in it. */
import { wildcard } from "@carabiner/engine";
import { addressesIn } from "../tools/index.ts";
import type { ArgumentTest, Rule } from "./policy.ts";
import { saysOfText } from "./says-of-text.ts";

/**
 * An address is compared as it is requested: host in small letters, default port and `..` gone, who logs in left out. `domain:` names a host.
 * One address is enough for a guard; a permission must be for all of them.
 */
export function saysOfAddress(test: ArgumentTest, { effect }: Rule, value: string): boolean {
  const strict = effect === "allow";
  const given = URL.canParse(value) ? [value] : addressesIn(value);
  if (given.length === 0) return !strict && saysOfText(test, value);
  const says = (one: string): boolean => saysOf(test, new URL(one), strict);
  return strict ? given.every(says) : given.some(says);
}

function saysOf(test: ArgumentTest, address: URL, strict: boolean): boolean {
  const domain = /^domain:(.*)$/i.exec(test.pattern)?.[1];
  if (domain !== undefined) return isHost(domain.trim(), address.hostname, strict);
  const rest = `${address.pathname}${address.search}${address.hash}`;
  const parts = /^([a-z*]+:)\/\/([^/?#]*)(.*)$/i.exec(test.pattern);
  if (!parts) return saysOfText(test, `${address.protocol}//${address.host}${rest}`);
  const [, protocol = "", host = "", path = ""] = parts;
  if (!wildcard(protocol.toLowerCase(), address.protocol)) return false;
  // `https://example.com*` means what is on that host: as a permission it is no beginning of another host's name.
  const open = path === "" && test.kind === "glob" && /[^.]\*$/.test(host);
  if (!fitsHost(open && strict ? host.slice(0, -1) : host, address)) return false;
  if (open) return true;
  return path === "" ? test.kind === "prefix" || rest === "/" : saysOfText({ ...test, pattern: path }, rest);
}

/** With a port where the rule has one. */
const fitsHost = (host: string, { hostname, host: whole }: URL): boolean =>
  wildcard(host.toLowerCase(), /:\d+$/.test(host) ? whole : hostname) || host.toLowerCase() === `${hostname}:443`;

/** A guard of a host is one of what lies below it, too. */
function isHost(domain: string, hostname: string, strict: boolean): boolean {
  const host = strict ? hostname : hostname.replace(/\.$/, "");
  const wanted = domain.toLowerCase();
  return wildcard(wanted, host) || (!strict && host.endsWith(`.${wanted}`));
}
