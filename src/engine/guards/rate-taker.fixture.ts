// Takes from a shared limit as fast as it can, more often than the limit, and prints how often it could.
import { createRedisConnection } from "../archive/redis/redis-connection.ts";
import { createRedisRateStore } from "./redis-rate-store.ts";

const [url = "", key = "", limitText = ""] = process.argv.slice(2);
const limit = Number(limitText);
const refuse = (error: unknown): never => {
  throw error;
};
const connection = createRedisConnection(url, { timeoutMs: 5_000 });
const store = createRedisRateStore(connection, { limit, periodSeconds: 600, onAway: refuse });
const takes = await Promise.all(Array.from({ length: limit }, () => store.take(key, 1)));
await connection.close();
process.stdout.write(String(takes.filter(({ taken }) => taken).length));
