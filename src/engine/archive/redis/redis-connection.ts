import { ContractError } from "../../../core/contract/contract-error.ts";
import { ArchiveError, type ArchiveErrorCode, answerInTime, closedError } from "../archive-store.ts";
import { neededBuiltIn } from "../../runtime/built-in.ts";
import {
  type RedisArgument,
  type RedisClient,
  type RedisReply,
  bytesAsTheyAre,
  clusterClients,
  createRedisClient,
} from "./redis-client.ts";
import { parseRedisUrl } from "./redis-address.ts";

/** What the first word of an error reply says about the store. */
const replies: Readonly<Record<string, { readonly code: ArchiveErrorCode; readonly advice: string }>> = {
  OOM: { code: "FULL", advice: "Its memory is full: raise maxmemory, or set a shorter ttlMs or a maxBytes." },
  READONLY: { code: "READ_ONLY", advice: "It is a replica: give the address of the primary." },
  MISCONF: { code: "READ_ONLY", advice: "It cannot save to its disk and refuses writes." },
  NOREPLICAS: { code: "READ_ONLY", advice: "Too few replicas follow it." },
  NOAUTH: { code: "UNREACHABLE", advice: "It requires a password: put it into the URL." },
  WRONGPASS: { code: "UNREACHABLE", advice: "It refuses the name or the password in the URL." },
  NOPERM: { code: "UNREACHABLE", advice: "This user may not run the commands of the store." },
  LOADING: { code: "UNREACHABLE", advice: "It is still loading its data." },
  MOVED: { code: "UNREACHABLE", advice: "It is a node of a Redis Cluster: add ?cluster=true to the URL." },
  CROSSSLOT: { code: "UNREACHABLE", advice: "It is a Redis Cluster: add ?cluster=true to the URL." },
  CLUSTERDOWN: { code: "UNREACHABLE", advice: "Its cluster is down, or does not serve all slots." },
};

/** A client's error as a store's error. It names the place, never the password. */
function toRedisError(error: unknown, location: string): Error {
  if (ArchiveError.isInstance(error) || ContractError.isInstance(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  const word = /^[A-Z]+/.exec(text)?.[0] ?? "";
  const known = Object.hasOwn(replies, word) ? replies[word] : undefined;
  if (known !== undefined) {
    return new ArchiveError(known.code, `Redis at ${location} refused. ${known.advice}`, { cause: error });
  }
  return new ArchiveError(
    "UNREACHABLE",
    `Redis at ${location} cannot be reached: ${text || "no reason given"}.`,
    {
      cause: error,
    },
  );
}

interface RedisConnectionOptions {
  /** How long one command, or connecting, may take. */
  readonly timeoutMs: number;
  /** Makes a client that is not connected yet, for options that a URL does not have: certificates, Sentinel. */
  readonly connect?: (() => RedisClient | Promise<RedisClient>) | undefined;
}

/**
 * One connection to Redis, made at the first command and again after it was lost. A command is never queued
 * while Redis is away: it fails at once, and from time to time one command tries to connect. An idle
 * connection keeps no process alive.
 */
export interface RedisConnection {
  readonly location: string;
  /** If true, all keys of one command or script must be in one slot. */
  readonly isCluster: boolean;
  send(...args: readonly RedisArgument[]): Promise<RedisReply>;
  /** Runs a Lua script, by its digest if Redis knows it. */
  run(script: string, keys: readonly string[], args: readonly RedisArgument[]): Promise<RedisReply>;
  close(): Promise<void>;
}

interface Link {
  readonly client: RedisClient;
  pending: number;
  /** When Redis last answered, in monotonic milliseconds. */
  heardAt: number;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

export function createRedisConnection(address: string, options: RedisConnectionOptions): RedisConnection {
  const { timeoutMs } = options;
  const { url, location, isCluster } = parseRedisUrl(address);
  const makeOwn = isCluster ? clusterClients(url, timeoutMs) : () => createRedisClient(url, timeoutMs);
  const makeClient = options.connect ?? makeOwn;
  const typeMapping = bytesAsTheyAre();
  let link: Link | undefined;
  let opening: Promise<Link> | undefined;
  let refusals = 0;
  let retryAt = 0;
  let isClosed = false;

  function drop(lost: Link): void {
    if (link === lost) link = undefined;
    lost.client.destroy();
  }

  function backOff(): void {
    // Randomised, so that many processes do not reconnect at the same moment.
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** refusals++) * (0.5 + Math.random() / 2);
    retryAt = performance.now() + waitMs;
  }

  /** No answer to anything since a command was sent: the peer is gone silently, and only a new connection helps. */
  function giveUp(silent: Link): void {
    if (link !== silent) return;
    drop(silent);
    backOff();
  }

  async function open(): Promise<Link> {
    const client = await makeClient();
    const made: Link = { client, pending: 0, heardAt: 0 };
    // An unhandled error event would end the process; the commands in flight reject themselves.
    client.on("error", () => drop(made));
    try {
      await answerInTime(() => client.connect(), timeoutMs, `Redis at ${location}`);
    } catch (error) {
      client.destroy();
      throw error;
    }
    if (isClosed) {
      client.destroy();
      throw closedError("redis");
    }
    client.unref();
    link = made;
    return made;
  }

  async function openOnce(): Promise<Link> {
    try {
      return await open();
    } catch (error) {
      backOff();
      throw toRedisError(error, location);
    } finally {
      opening = undefined;
    }
  }

  async function ready(): Promise<Link> {
    if (isClosed) throw closedError("redis");
    if (link?.client.isReady === true) return link;
    if (opening === undefined && performance.now() < retryAt) {
      throw new ArchiveError(
        "UNREACHABLE",
        `Redis at ${location} cannot be reached; it is tried again shortly.`,
      );
    }
    opening ??= openOnce();
    return opening;
  }

  async function send(...args: readonly RedisArgument[]): Promise<RedisReply> {
    const used = await ready();
    const sentAt = performance.now();
    if (used.pending++ === 0) used.client.ref();
    try {
      const ask = (): Promise<unknown> => used.client.sendCommand(args, typeMapping);
      const reply = await answerInTime(ask, timeoutMs, `Redis at ${location}`);
      used.heardAt = performance.now();
      refusals = 0;
      return reply as RedisReply;
    } catch (error) {
      if (ArchiveError.isInstance(error) && used.heardAt < sentAt) giveUp(used);
      throw isClosed ? closedError("redis") : toRedisError(error, location);
    } finally {
      if (--used.pending === 0) used.client.unref();
    }
  }

  return {
    location,
    isCluster,
    send,
    async run(script, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send("EVALSHA", digestOf(script), ...rest);
      } catch (error) {
        if (!isUnknownScript(error)) throw error;
        return send("EVAL", script, ...rest);
      }
    },
    close() {
      isClosed = true;
      if (link !== undefined) drop(link);
      return Promise.resolve();
    },
  };
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message.startsWith("NOSCRIPT");
}

const digests = new Map<string, string>();

function digestOf(script: string): string {
  const known = digests.get(script);
  if (known !== undefined) return known;
  const digest = neededBuiltIn("node:crypto").hash("sha1", script, "hex");
  digests.set(script, digest);
  return digest;
}
