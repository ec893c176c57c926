// The address of a store in PostgreSQL: where it is, and in its query what else an address can say.

import { isLoopbackHost } from "../../../core/text/network-address.ts";
import {
  type AddressParameters,
  checkQuery,
  limitParameters,
  limitsIn,
  refuseAddress,
  wholeIn,
} from "../address-query.ts";

interface PostgresAddress {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Undefined: PGUSER, else the user of the process. */
  readonly user: string | undefined;
  /** Undefined: PGPASSWORD, else the user's password file. */
  readonly password: string | undefined;
  /** TLS, with the server's certificate and name checked. */
  readonly isSecure: boolean;
  /** Without TLS to another machine, where the address does not say that this is meant. */
  readonly isExposed: boolean;
  /** For people and logs: no name, no password, no query. */
  readonly location: string;
  readonly schema: string | undefined;
  readonly connections: number | undefined;
  readonly ttlMs: number | undefined;
  readonly maxBytes: number | undefined;
}

const DEFAULT_PORT = 5_432;

/** The schema of the tables. It is written into statements, so it has no character that would need care there. */
export const POSTGRES_SCHEMA = /^[a-z_][a-z0-9_]{0,49}$/;
export const SCHEMA_ADVICE = "1 to 50 of a-z, 0-9 and _, not with a digit first";

export const MOST_CONNECTIONS = 100;

/** Encryption to a server that is not checked does not protect from a machine that can answer in its place, so all but the first check it. */
const secureModes: readonly string[] = ["require", "verify-ca", "verify-full"];

const parameters: AddressParameters = {
  sslmode: {
    is: (value) => value === "disable" || secureModes.includes(value),
    advice: "verify-full, or disable for no TLS",
  },
  host: {
    is: (value) => value.startsWith("/"),
    advice: "the folder of a Unix socket, such as /var/run/postgresql",
  },
  schema: { is: (value) => POSTGRES_SCHEMA.test(value), advice: SCHEMA_ADVICE },
  connections: {
    is: (value) => (wholeIn(value) ?? Number.POSITIVE_INFINITY) <= MOST_CONNECTIONS,
    advice: `a whole number from 1 to ${MOST_CONNECTIONS}`,
  },
  ...limitParameters,
};

/** Undefined for a text that is not percent-encoded as it should be. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parses a store's URL. The error for a wrong URL does not repeat it: it may contain a password. */
export function parsePostgresUrl(text: string): PostgresAddress {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  const [user, password] = [decoded(found?.username ?? ""), decoded(found?.password ?? "")];
  const database = decoded(found?.pathname.slice(1) ?? "");
  const folder = found?.searchParams.get("host") ?? undefined;
  const host = folder ?? found?.hostname.replace(/^\[(.*)\]$/, "$1");
  const isRead = user !== undefined && password !== undefined && isPostgresAddress(text);
  if (found === undefined || !isRead || database === undefined || !/^[^/\0]+$/.test(database) || !host)
    return refuseAddress(
      "The PostgreSQL URL cannot be read: write postgres://[name:password@]host[:port]/database, with ?sslmode=verify-full for TLS. Special characters in the name or the password are percent-encoded, such as %40 for @ and %2F for /.",
    );
  const { searchParams: query } = found;
  checkQuery("PostgreSQL", parameters, query);
  const isSecure = secureModes.includes(query.get("sslmode") ?? "");
  if (isSecure && folder !== undefined) return refuseAddress("A Unix socket has no TLS: leave sslmode out.");
  const port = found.port === "" ? DEFAULT_PORT : Number(found.port);
  return {
    host,
    port,
    database,
    user: user === "" ? undefined : user,
    password: password === "" ? undefined : password,
    isSecure,
    isExposed: !query.has("sslmode") && folder === undefined && !isLoopbackHost(host),
    location: `postgres://${folder ?? found.hostname}:${port}/${encodeURIComponent(database)}`,
    schema: query.get("schema") ?? undefined,
    connections: wholeIn(query.get("connections") ?? ""),
    ...limitsIn(query),
  };
}

export function isPostgresAddress(text: string): boolean {
  return /^\s*postgres(ql)?:/i.test(text);
}
