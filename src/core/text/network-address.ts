// Addresses of machines as texts: whether a text is one, which network it belongs to, and whether it is this machine. The
// answers are those of Node's `isIP` and `BlockList`, on every runtime.

const PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${PART}\\.){3}${PART}$`);
/** A network interface may follow an address: `fe80::1%eth0`. */
const ZONE = /%[\dA-Za-z.:-]+$/;
const MOST_CHARACTERS = 100;

function isIpv6(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const bare = text.replace(ZONE, "");
  // The URL parser knows every form; only the characters must be those of an address.
  return /^[\dA-Fa-f:.]+$/.test(bare) && bare.includes(":") && URL.canParse(`http://[${bare}]`);
}

/** Whether a text is an IP address. */
export function isAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}

const GROUPS_OF_NETWORK = 4;

/** The network that is limited: an IPv4 address, or the /64 from which one IPv6 subscriber can choose addresses. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (!isIpv6(bare)) return bare;
  const [head = "", tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (text = ""): string[] => (text === "" ? [] : text.split(":"));
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(":")}::/64`;
}

/** `::1`, and 127.0.0.0/8 as IPv6 writes it, in the form of the URL parser. */
const OWN_IPV6 = /^\[::(?:1|ffff:7f[\da-f]{2}:[\da-f]+)\]$/;

/** Whether only this machine can reach an address. A name other than localhost may resolve to anything. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (bare === "localhost") return true;
  if (!isAddress(bare)) return false;
  if (!bare.includes(":")) return bare.startsWith("127.");
  return OWN_IPV6.test(new URL(`http://[${bare.replace(ZONE, "")}]`).hostname);
}
