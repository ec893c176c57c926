// The part of the package `pg` that is used: it is an optional peer, and our types must compile without it.

import { neededBuiltIn } from "../../runtime/built-in.ts";
import { packageError } from "../store-package.ts";
import type { parsePostgresUrl } from "./postgres-address.ts";

export type PostgresRow = Readonly<Record<string, unknown>>;

/** Bytes must be a `Buffer`: the client writes any other array as text. */
export type PostgresValue = string | number | boolean | Buffer | readonly string[] | null;

export interface PostgresClient {
  query(config: object): Promise<{ readonly rows?: readonly PostgresRow[] }>;
  /** Back to the pool; with true the connection is ended instead. */
  release(isBroken?: boolean): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

/** A `Pool` of the package `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
}

interface PoolOptions {
  readonly connections: number;
  readonly timeoutMs: number;
}

/** `load` is for tests, which have the package. */
export async function importPostgres(
  load?: () => Promise<unknown>,
): Promise<new (options: object) => PostgresPool> {
  try {
    // `await import` inside a `try` tells bundlers that a server without PostgreSQL can do without the package.
    const found: unknown = load === undefined ? await import("pg") : await load();
    return (found as { readonly Pool: new (options: object) => PostgresPool }).Pool;
  } catch (cause) {
    throw packageError("postgres", cause);
  }
}

type Address = ReturnType<typeof parsePostgresUrl>;

/** The name in the certificate is compared with the address, also where that is an IP address. */
function secureOptions(host: string): object {
  const { checkServerIdentity } = neededBuiltIn("node:tls");
  type Certificate = Parameters<typeof checkServerIdentity>[1];
  return {
    rejectUnauthorized: true,
    checkServerIdentity: (_name: string, certificate: Certificate) => checkServerIdentity(host, certificate),
  };
}

/** A pool that keeps no process alive, and whose broken connections end no process. */
export async function createPool(
  address: Address,
  { connections, timeoutMs }: PoolOptions,
): Promise<PostgresPool> {
  const Pool = await importPostgres();
  const { host, port, database, user, password, isSecure } = address;
  return new Pool({
    host,
    port,
    database,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ssl: isSecure ? secureOptions(host) : false,
    application_name: "waybill",
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
  });
}

const BOOLEAN = 16;
const NUMBERS: ReadonlySet<number> = new Set([20, 23, 1_700]);

/** Values as our statements need them: by default a client gives a 64-bit number as a text. */
export const columnTypes = {
  getTypeParser(type: number): (text: string) => unknown {
    if (NUMBERS.has(type)) return Number;
    return type === BOOLEAN ? (text) => text === "t" : (text) => text;
  },
};
