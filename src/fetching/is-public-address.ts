import ipaddr from "ipaddr.js";
import type { Address } from "./parse-address.ts";

/** All that is allocated to the public internet. The library calls the rest unicast too, `::127.0.0.1` included. */
const publicIPv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Where clouds hand out credentials. Azure's looks public, and a wide private range must not let the others in. */
const metadataAddresses: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "192.0.0.192",
  "fd00:ec2::23",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** Ranges whose last 32 bits are an IPv4 address that a translator will go to. */
const translatedRanges: ReadonlySet<string> = new Set(["ipv4Mapped", "rfc6145", "rfc6052"]);

export function isMetadataAddress(address: Address): boolean {
  return metadataAddresses.has(address.toString());
}

/** The IPv4 address that a mapped or translated IPv6 address stands for. */
export function translatedAddress(address: Address): Address | undefined {
  if (!translatedRanges.has(address.range())) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** RFC 5214: under any prefix an IPv4 address rides in the lower half. */
function isIsatap([, , , , fifth, sixth]: readonly number[]): boolean {
  return sixth === 0x5efe && (fifth === 0 || fifth === 0x200);
}

/**
 * Global unicast, and no range with a purpose of its own. Forms that carry an IPv4 address (mapped, translated, NAT64,
 * 6to4, Teredo, ISATAP) are out as a whole: a public IPv4 address can be said plainly.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast" || isMetadataAddress(address)) return false;
  return !("parts" in address) || (address.match(publicIPv6) && !isIsatap(address.parts));
}
