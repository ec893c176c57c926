import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ReturnType<typeof ipaddr.parse>;

export interface AddressRange {
  readonly start: Address;
  readonly bits: number;
}

/** An address in its full notation; undefined for anything else, and for one with a zone, which is never public. */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes("%") ? undefined : ipaddr.parse(text);
}

function width(address: Address): number {
  return address.kind() === "ipv4" ? 32 : 128;
}

/** A CIDR such as `10.0.0.0/8`, or one address; undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const [first = "", bits, ...rest] = text.split("/");
  const start = parseAddress(first);
  if (start === undefined || rest.length > 0) return undefined;
  if (bits === undefined) return { start, bits: width(start) };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= width(start) ? { start, bits: Number(bits) } : undefined;
}

export function isInRange(address: Address, { start, bits }: AddressRange): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

/** Whether a range is one address and no more. */
export function isSingle({ start, bits }: AddressRange): boolean {
  return bits === width(start);
}
