/** Turns a text into the web addresses in it as they are requested, and a host in a pattern into whether it is meant. */

/** Each as written and as it is requested: host in small letters, default port and `..` gone, who logs in left out. */
export function addressForms(text: string): readonly string[] {
  return text.split(/\s+/).flatMap((one) => {
    if (!URL.canParse(one)) return [one];
    const { protocol, host, pathname, search, hash } = new URL(one);
    return [one, `${protocol}//${host}${pathname}${search}${hash}`];
  });
}

/** `example.com` is meant by what lies below it, too: this is for guards. */
export function isOfHost(domain: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/\.$/, "");
  const wanted = domain.toLowerCase().replace(/^\*\./, "");
  return wanted === "*" || host === wanted || host.endsWith(`.${wanted}`);
}
