// The tables of a store. The first process that uses a schema makes them; others wait for it.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { areTablesMissing } from "./postgres-errors.ts";
import type { Ask, PostgresConnection } from "./postgres-connection.ts";
import type { PostgresRow, PostgresValue } from "./postgres-pool.ts";

/**
 * One text of statements for each version, which lead to it from the one before. Never changed after a release: a change
 * is a new text at the end. `$` stands for the schema.
 *
 * The last block of an entry is in its row, so that small content takes one statement; the other blocks have rows of
 * their own under `upload`. `replaced` is the upload that a put has just replaced. Blocks are already compressed. A sweep
 * reads indexes alone: `stored_bytes` is in one of them, so that adding them up does not pass the blocks.
 */
const versions: readonly string[] = [
  `
CREATE TABLE $.about (version integer NOT NULL);
INSERT INTO $.about VALUES (0);
CREATE TABLE $.entries (
  tenant bytea NOT NULL,
  hash bytea NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  stored_bytes bigint NOT NULL,
  stored_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint NOT NULL,
  upload uuid,
  replaced uuid,
  raw_bytes integer NOT NULL,
  is_packed boolean NOT NULL,
  block bytea NOT NULL,
  PRIMARY KEY (tenant, hash)
);
CREATE INDEX entries_by_end ON $.entries (expires_at);
CREATE INDEX entries_by_use ON $.entries (used_at, tenant, hash);
CREATE INDEX entries_by_age ON $.entries (stored_at) INCLUDE (stored_bytes);
CREATE TABLE $.blocks (
  upload uuid NOT NULL,
  start bigint NOT NULL,
  raw_bytes integer NOT NULL,
  is_packed boolean NOT NULL,
  block bytea NOT NULL,
  PRIMARY KEY (upload, start)
);
ALTER TABLE $.entries ALTER COLUMN block SET STORAGE EXTERNAL;
ALTER TABLE $.blocks ALTER COLUMN block SET STORAGE EXTERNAL;
CREATE TABLE $.secrets (name text PRIMARY KEY, value text NOT NULL);
`,
];

/** A statement that may change much, or reads a whole index, may take this many times as long as another. */
const LONG_FACTOR = 12;

/** The statements of a store: every one after its tables are there. */
export class PostgresTables {
  readonly entries: string;
  readonly blocks: string;
  readonly secrets: string;
  readonly #connection: PostgresConnection;
  readonly #name: string;
  /** As statements write it. */
  readonly #schema: string;
  readonly #longMs: number;
  #made: Promise<void> | undefined;

  constructor(connection: PostgresConnection, schema: string, timeoutMs: number) {
    this.#connection = connection;
    this.#name = schema;
    this.#schema = `"${schema}"`;
    this.#longMs = timeoutMs * LONG_FACTOR;
    const named = (table: string): string => `${this.#schema}.${table}`;
    [this.entries, this.blocks, this.secrets] = [named("entries"), named("blocks"), named("secrets")];
  }

  query(text: string, values?: readonly PostgresValue[]): Promise<readonly PostgresRow[]> {
    return this.#after(() => this.#connection.query(text, values));
  }

  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    return this.#after(() => this.#connection.transaction(work));
  }

  /** A transaction that calls do not wait for, with statements that may take long. */
  upkeep<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    return this.#after(() => this.#connection.upkeep(work, this.#longMs));
  }

  /** One process at a time until the transaction ends; `what` names the work. */
  async alone(ask: Ask, what: string): Promise<void> {
    await ask("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`waybill ${what} ${this.#name}`]);
  }

  async #after<Result>(run: () => Promise<Result>): Promise<Result> {
    let isMade = false;
    try {
      this.#made ??= this.#make();
      await this.#made;
      isMade = true;
      return await run();
    } catch (error) {
      // The next call looks again: PostgreSQL may have been away, or a user may have got a right.
      if (!isMade || areTablesMissing(error)) this.#made = undefined;
      throw error;
    }
  }

  async #make(): Promise<void> {
    if ((await this.#version((text, values) => this.#connection.query(text, values))) === versions.length)
      return;
    await this.#connection.transaction(async (ask) => {
      await this.alone(ask, "tables");
      const found = await this.#version(ask);
      if (found === undefined) await this.#makeSchema(ask);
      for (const text of versions.slice(found ?? 0)) await ask(text.replaceAll("$.", `${this.#schema}.`));
      await ask(`UPDATE ${this.#schema}.about SET version = $1`, [versions.length]);
    }, this.#longMs);
  }

  /** `IF NOT EXISTS` asks for the right to make a schema even where there is one. */
  async #makeSchema(ask: Ask): Promise<void> {
    const [found] = await ask("SELECT true FROM pg_catalog.pg_namespace WHERE nspname = $1", [this.#name]);
    if (found === undefined) await ask(`CREATE SCHEMA ${this.#schema}`);
  }

  /** Undefined before there are tables. */
  async #version(ask: Ask): Promise<number | undefined> {
    // Not `to_regclass`: in a transaction it may not see what was made since the transaction began.
    const text =
      "SELECT true FROM pg_catalog.pg_class AS r JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace WHERE n.nspname = $1 AND r.relname = 'about'";
    if ((await ask(text, [this.#name])).length === 0) return undefined;
    const [row] = await ask(`SELECT version FROM ${this.#schema}.about`);
    const version = Number(row?.["version"]);
    if (version <= versions.length) return version;
    const message = `The schema ${this.#name} at ${this.#connection.location} was made by a newer Waybill (tables ${version}, here ${versions.length}): update this one, or name another schema.`;
    throw new ContractError("INVALID_OPTION", message, { option: "schema" });
  }
}
