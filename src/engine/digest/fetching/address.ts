import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { ContractError } from "../../../core/contract/contract-error.ts";

export type Address = ReturnType<typeof ipaddr.parse>;

export interface AddressRange {
  readonly start: Address;
  readonly bits: number;
}

/**
 * Parses an address in its full notation; undefined for anything else, and for one with a zone, which is
 * never public.
 */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes("%") ? undefined : ipaddr.parse(text);
}

function width(address: Address): number {
  return address.kind() === "ipv4" ? 32 : 128;
}

/** A CIDR such as `10.0.0.0/8`, or one address; undefined for anything else. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [first = "", bits, ...rest] = text.split("/");
  const start = parseAddress(first);
  if (start === undefined || rest.length > 0) return undefined;
  if (bits === undefined) return { start, bits: width(start) };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= width(start) ? { start, bits: Number(bits) } : undefined;
}

export function isInRange(address: Address, { start, bits }: AddressRange): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

/** Whether a range is a single address. */
function isSingle({ start, bits }: AddressRange): boolean {
  return bits === width(start);
}

/** All addresses of the public internet. The library calls the rest unicast too, including `::127.0.0.1`. */
const publicIPv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Where clouds give out credentials. Azure's address looks public, and a wide private range must not permit
 * the others.
 */
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

/** Ranges whose last 32 bits are an IPv4 address to which a translator connects. */
const translatedRanges: ReadonlySet<string> = new Set(["ipv4Mapped", "rfc6145", "rfc6052"]);

function isMetadataAddress(address: Address): boolean {
  return metadataAddresses.has(address.toString());
}

/** The IPv4 address inside a mapped or translated IPv6 address. */
function translatedAddress(address: Address): Address | undefined {
  if (!translatedRanges.has(address.range())) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** RFC 5214: under any prefix, the lower half contains an IPv4 address. */
function isIsatap([, , , , fifth, sixth]: readonly number[]): boolean {
  return sixth === 0x5efe && (fifth === 0 || fifth === 0x200);
}

/**
 * Global unicast, and not a range with a special purpose. Forms that contain an IPv4 address (mapped,
 * translated, NAT64, 6to4, Teredo, ISATAP) are all excluded: a public IPv4 address can be written directly.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast" || isMetadataAddress(address)) return false;
  return !("parts" in address) || (address.match(publicIPv6) && !isIsatap(address.parts));
}

/** How far an address reaches: any machine, this network, or this machine alone. */
export type AddressReach = "public" | "network" | "machine";

/** The ranges in which organisations number their own machines. */
const networkRanges: ReadonlySet<string> = new Set(["private", "uniqueLocal", "carrierGradeNat"]);

/** Undefined for an address that nothing may connect to: of clouds' metadata, of no machine, with another inside. */
export function addressReach(address: Address): AddressReach | undefined {
  if (isMetadataAddress(address)) return undefined;
  if (isPublicAddress(address)) return "public";
  const range = address.range();
  if (range === "loopback") return "machine";
  return networkRanges.has(range) ? "network" : undefined;
}

/** A host as written in URLs: lower case, ASCII, numbers as dotted IPv4, IPv6 without brackets, no dot at the end. */
export function readHost(text: string): string | undefined {
  const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`) : undefined;
  const isHostAlone = url !== undefined && url.href === `http://${url.hostname}/`;
  const host = isHostAlone ? plainHost(url) : "";
  return host === "" ? undefined : host;
}

export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

/** One entry of `allowPrivate`: a range or a name. Without a port it applies to the ports that any URL may have. */
interface Permit {
  readonly range?: AddressRange;
  readonly host?: string;
  readonly port?: number;
}

/** The host and port of a URL. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
  /** Whether any URL may have the port. */
  readonly isUsualPort: boolean;
}

export interface PrivatePermits {
  readonly isEmpty: boolean;
  namesPort(port: number): boolean;
  /** Whether this address may be connected to, under this name and port. */
  cover(place: HostAndPort, address: Address): boolean;
}

const HOST_AND_PORT = /^(?<host>\[[^\]]+\]|[^:/[\]]+):(?<port>\d{1,5})$/;

/** The permit of an entry; undefined if it cannot be parsed. */
export function readPermit(entry: string): Permit | undefined {
  const range = parseAddressRange(entry);
  if (range !== undefined) return { range };
  const groups = HOST_AND_PORT.exec(entry)?.groups;
  const host = readHost(groups?.["host"] ?? "");
  const port = Number(groups?.["port"]);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  const single = parseAddressRange(host);
  return single === undefined ? { host, port } : { range: single, port };
}

/**
 * A name or a wide range does not permit a metadata service, nor the address inside a translated one; a
 * single address does.
 */
function isCovered({ range, host }: Permit, name: string, address: Address): boolean {
  if (range === undefined ? host !== name : !isInRange(address, range)) return false;
  if (range !== undefined && isSingle(range)) return true;
  const inner = translatedAddress(address);
  return !isMetadataAddress(address) && (inner === undefined || isPublicAddress(inner));
}

export const permitAdvice =
  "Write an address, a range such as 10.0.0.0/8, or a host and port such as wiki.internal:443.";

function refuse(entry: string): never {
  const message = `allowPrivate holds "${entry}". ${permitAdvice}`;
  throw new ContractError("INVALID_OPTION", message, { option: "allowPrivate" });
}

export function readPrivatePermits(entries: readonly string[]): PrivatePermits {
  const permits = entries.map((entry) => readPermit(entry) ?? refuse(entry));
  return {
    isEmpty: permits.length === 0,
    namesPort: (port) => permits.some((permit) => permit.port === port),
    cover: (place, address) =>
      permits.some(
        (permit) =>
          (permit.port === undefined ? place.isUsualPort : permit.port === place.port) &&
          isCovered(permit, place.host, address),
      ),
  };
}
