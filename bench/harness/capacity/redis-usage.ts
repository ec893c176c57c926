import { type RedisServer } from "../../../test/services/redis.fixture.ts";
import { createRedisConnection } from "../../../src/engine/archive/redis/redis-connection.ts";

/** What a Redis has done so far, by its own count. */
export interface RedisUsage {
  /** Commands by name, those inside scripts too. */
  readonly commands: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly cpuUs: number;
  readonly memoryBytes: number;
}

const field = (info: string, name: string): number =>
  Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1] ?? Number.NaN);

/** Asks over a connection of its own; what the questions cost is left out by asking for nothing else between. */
export async function openUsage({ url }: RedisServer) {
  const connection = createRedisConnection(url, { timeoutMs: 10_000 });
  const ask = async (section: string): Promise<string> => String(await connection.send("INFO", section));
  return {
    read: async (): Promise<RedisUsage> => {
      const [commandStats, stats, cpu, memory] = [
        await ask("commandstats"),
        await ask("stats"),
        await ask("cpu"),
        await ask("memory"),
      ];
      const commands = Object.fromEntries(
        [...commandStats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = "", calls]) => [
          name,
          Number(calls),
        ]),
      );
      return {
        commands,
        bytesIn: field(stats, "total_net_input_bytes"),
        bytesOut: field(stats, "total_net_output_bytes"),
        cpuUs: (field(cpu, "used_cpu_user") + field(cpu, "used_cpu_sys")) * 1_000_000,
        memoryBytes: field(memory, "used_memory"),
      };
    },
    close: () => connection.close(),
  };
}

/** What happened between two looks, for each of `calls` calls. */
export function usagePerCall(before: RedisUsage, after: RedisUsage, calls: number): RedisUsage {
  const names = Object.keys(after.commands).filter((name) => name !== "info");
  const perCall = (from: number, to: number): number => (to - from) / calls;
  return {
    commands: Object.fromEntries(
      names
        .map((name) => [name, perCall(before.commands[name] ?? 0, after.commands[name] ?? 0)] as const)
        .filter(([, count]) => count > 0.001),
    ),
    bytesIn: perCall(before.bytesIn, after.bytesIn),
    bytesOut: perCall(before.bytesOut, after.bytesOut),
    cpuUs: perCall(before.cpuUs, after.cpuUs),
    memoryBytes: perCall(before.memoryBytes, after.memoryBytes),
  };
}

/** Commands that arrive over the network: a script counts once, whatever runs inside it. */
export function sentCommands({ commands }: RedisUsage): number {
  return (commands["evalsha"] ?? 0) + (commands["eval"] ?? 0) + (commands["unlink"] ?? 0);
}
