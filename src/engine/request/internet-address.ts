// Whether a text is an address of the internet protocol, as Node's `isIP` has it, on every runtime.

const PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${PART}\\.){3}${PART}$`);
/** An interface of the machine may follow an address: `fe80::1%eth0`. */
const ZONE = /%[\dA-Za-z.:-]+$/;
const MOST_CHARACTERS = 100;

export function isIpv6(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const bare = text.replace(ZONE, "");
  // The parser of URLs knows every form; only the characters have to be an address's own.
  return /^[\dA-Fa-f:.]+$/.test(bare) && bare.includes(":") && URL.canParse(`http://[${bare}]`);
}

export function isAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}
