import { ContractError } from "../../../core/contract/contract-error.ts";
import {
  type Address,
  type AddressRange,
  isInRange,
  isMetadataAddress,
  isPublicAddress,
  isSingle,
  parseRange,
  readHost,
  translatedAddress,
} from "./address.ts";

/** One entry of `allowPrivate`: a range or a name. Without a port it applies to the ports that any URL may have. */
interface Permit {
  readonly range?: AddressRange;
  readonly host?: string;
  readonly port?: number;
}

/** The host and port of a URL. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** Whether any URL may have the port. */
  readonly isUsualPort: boolean;
}

export interface PrivatePermits {
  readonly isEmpty: boolean;
  namesPort(port: number): boolean;
  /** Whether this address may be connected to, under this name and port. */
  cover(place: Place, address: Address): boolean;
}

const HOST_AND_PORT = /^(?<host>\[[^\]]+\]|[^:/[\]]+):(?<port>\d{1,5})$/;

/** The permit of an entry; undefined if it cannot be parsed. */
export function readPermit(entry: string): Permit | undefined {
  const range = parseRange(entry);
  if (range !== undefined) return { range };
  const groups = HOST_AND_PORT.exec(entry)?.groups;
  const host = readHost(groups?.["host"] ?? "");
  const port = Number(groups?.["port"]);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  const single = parseRange(host);
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
