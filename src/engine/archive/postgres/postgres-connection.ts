import { ContractError } from "../../../core/contract/contract-error.ts";
import { withinDeadline } from "../../runtime/deadline.ts";
import { createBreaker, failuresInARow } from "../../runtime/trip-rules.ts";
import { ArchiveError, closedError } from "../archive-store.ts";
import type { parsePostgresUrl } from "./postgres-address.ts";
import { Places } from "./places.ts";
import { isAnswer, toPostgresError } from "./postgres-errors.ts";
import {
  type PostgresClient,
  type PostgresPool,
  type PostgresRow,
  type PostgresValue,
  columnTypes,
  createPool,
} from "./postgres-pool.ts";

/** Sends one statement and gives its rows. */
export type Ask = (text: string, values?: readonly PostgresValue[]) => Promise<readonly PostgresRow[]>;

interface PostgresConnectionOptions {
  /** How long one statement, or connecting, may take. */
  readonly timeoutMs: number;
  /** The most connections at once, and one more for upkeep. */
  readonly connections: number;
  /** Makes a pool, for what an address does not say: certificates, passwords that change. */
  readonly connect?: (() => PostgresPool | Promise<PostgresPool>) | undefined;
}

/**
 * A pool of connections to PostgreSQL, opened at the first statement. While PostgreSQL is away, statements fail at once,
 * and now and then one tries to connect. Idle connections keep no process alive.
 */
export interface PostgresConnection {
  readonly location: string;
  /** One statement by itself: it is committed when its rows are given. */
  query(text: string, values?: readonly PostgresValue[]): Promise<readonly PostgresRow[]>;
  /** Statements on one connection that count all or none. `limitMs` is for each of them. */
  transaction<Result>(work: (ask: Ask) => Promise<Result>, limitMs?: number): Promise<Result>;
  /** A transaction that takes no connection from the others, however long it lasts. */
  upkeep<Result>(work: (ask: Ask) => Promise<Result>, limitMs: number): Promise<Result>;
  close(): Promise<void>;
}

/** How long no call tries to connect after a try that failed. */
const PAUSE_MS = 500;

export function createPostgresConnection(
  address: ReturnType<typeof parsePostgresUrl>,
  options: PostgresConnectionOptions,
): PostgresConnection {
  const { timeoutMs, connections } = options;
  const { location } = address;
  const [calls, upkeep] = [new Places(connections), new Places(1)];
  const breaker = createBreaker({ rule: failuresInARow(1), resetMs: PAUSE_MS });
  /** What waits for an answer, so that closing ends it. */
  const waiting = new Set<AbortController>();
  let pool: Promise<PostgresPool> | undefined;
  let isClosed = false;

  async function makePool(): Promise<PostgresPool> {
    const most = connections + 1;
    const made = await (options.connect ?? (() => createPool(address, { timeoutMs, connections: most })))();
    // Without a listener the end of an idle connection would end the process; a busy one rejects its statements.
    made.on("error", () => undefined);
    made.on("connect", (client) => void client.on("error", () => undefined));
    return made;
  }

  async function openPool(): Promise<PostgresPool> {
    try {
      return await makePool();
    } catch (error) {
      // A package may be installed, and a certificate corrected, while the server runs.
      pool = undefined;
      throw error;
    }
  }

  async function inTime<Result>(
    run: () => Promise<Result>,
    limitMs: number,
    what = `PostgreSQL at ${location} did not answer in ${limitMs} ms.`,
  ): Promise<Result> {
    const stop = new AbortController();
    waiting.add(stop);
    try {
      return await withinDeadline(run, {
        timeoutMs: limitMs,
        onTimeout: () => new ArchiveError("TIMEOUT", what),
        signal: stop.signal,
        onCancel: () => closedError("postgres"),
      });
    } finally {
      waiting.delete(stop);
    }
  }

  /** What comes too late goes back. */
  async function takeInTime<Taken>(
    take: () => Promise<Taken>,
    giveBack: (taken: Taken) => void,
    what?: string,
  ): Promise<Taken> {
    let isLate = false;
    const taking = async (): Promise<Taken> => {
      const taken = await take();
      if (isLate) giveBack(taken);
      return taken;
    };
    try {
      return await inTime(taking, timeoutMs, what);
    } catch (error) {
      isLate = true;
      throw toPostgresError(error, location);
    }
  }

  async function takeClient(): Promise<PostgresClient> {
    pool ??= openPool();
    return (await pool).connect();
  }

  /** A connection of the pool, unless connecting failed a moment ago. The pool has one for each place. */
  async function lend(): Promise<PostgresClient> {
    const entry = breaker.enter();
    if (!entry.allowed) {
      const message = `PostgreSQL at ${location} cannot be reached; it is tried again shortly.`;
      throw new ArchiveError("UNREACHABLE", message);
    }
    try {
      const client = await takeInTime(takeClient, (late) => late.release(true));
      entry.done(true);
      return client;
    } catch (error) {
      entry.done(isClosed || ContractError.isInstance(error));
      throw isClosed ? closedError("postgres") : error;
    }
  }

  /** In order of coming. A wait that is too long says nothing of PostgreSQL: it may answer everybody, and have much to do. */
  async function inPlace<Result>(places: Places, work: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw closedError("postgres");
    const busy = `All ${connections} connections to PostgreSQL at ${location} were busy for ${timeoutMs} ms: raise \`connections\`.`;
    const giveBack = (): void => places.giveBack();
    await takeInTime(() => places.take(), giveBack, busy);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  async function use<Result>(
    limitMs: number,
    work: (ask: Ask, isBroken: () => boolean) => Promise<Result>,
  ): Promise<Result> {
    const client = await lend();
    let isBroken = false;
    const ask: Ask = async (text, values) => {
      try {
        const { rows = [] } = await inTime(() => client.query({ text, values, types: columnTypes }), limitMs);
        return rows;
      } catch (error) {
        // Its answer may still come: the next user of the connection would take it for its own.
        isBroken ||= !isAnswer(error);
        throw toPostgresError(error, location);
      }
    };
    try {
      return await work(ask, () => isBroken);
    } finally {
      client.release(isBroken);
    }
  }

  function transact<Result>(limitMs: number, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    return use(limitMs, async (ask, isBroken) => {
      // A process that stops half-way must not hold its locks. Set in the transaction, so that a pooler may stand between.
      const limits = ["statement_timeout", "idle_in_transaction_session_timeout"];
      const settings = limits.map((name) => `SET LOCAL ${name} = ${limitMs}`);
      await ask(["BEGIN ISOLATION LEVEL READ COMMITTED", ...settings].join("; "));
      try {
        const result = await work(ask);
        await ask("COMMIT");
        return result;
      } catch (error) {
        if (!isBroken()) await ask("ROLLBACK").catch(() => undefined);
        throw error;
      }
    });
  }

  return {
    location,
    query: (text, values) => inPlace(calls, () => use(timeoutMs, (ask) => ask(text, values))),
    transaction: (work, limitMs = timeoutMs) => inPlace(calls, () => transact(limitMs, work)),
    upkeep: (work, limitMs) => inPlace(upkeep, () => transact(limitMs, work)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const stop of waiting) stop.abort();
      const made = await pool?.catch(() => undefined);
      // A server that answers nothing does not take leave either.
      if (made !== undefined) await inTime(() => made.end(), timeoutMs).catch(() => undefined);
    },
  };
}
