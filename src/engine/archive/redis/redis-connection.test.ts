import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RedisServer, hasRedis, startRedis } from "../../../../test/services/redis.fixture.ts";
import { type RedisConnection, createRedisConnection } from "./redis-connection.ts";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";

async function setUp(timeoutMs = 20_000): Promise<{ server: RedisServer; connection: RedisConnection }> {
  const server = await startRedis();
  const connection = createRedisConnection(server.url, { timeoutMs });
  onTestFinished(async () => {
    await connection.close();
    await server.stop();
  });
  return { server, connection };
}

async function eventually(connection: RedisConnection): Promise<unknown> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const answer = await connection.send("PING").catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(25);
  }
  return undefined;
}

function exitCodeOf(url: string): Promise<number | null> {
  const script = fileURLToPath(new URL("./redis-idle.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, url], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve) => child.once("exit", resolve));
}

describe.runIf(hasRedis())("createRedisConnection", () => {
  it("connects once for commands that come together", async () => {
    const { connection } = await setUp();
    expect(await Promise.all([1, 2, 3].map(() => connection.send("PING")))).toEqual(["PONG", "PONG", "PONG"]);
    const clients = String(await connection.send("CLIENT", "LIST"))
      .trim()
      .split("\n");
    expect(clients).toHaveLength(1);
  });

  it("loads a script that Redis does not know, and again after a restart", async () => {
    const { connection, server } = await setUp();
    const script = "return { KEYS[1], ARGV[1] }";
    expect(String(await connection.run(script, ["k"], ["v"]))).toBe("k,v");
    await server.restart();
    await eventually(connection);
    expect(String(await connection.run(script, ["k"], ["v"]))).toBe("k,v");
  });

  it("fails at once while Redis is away, and comes back by itself", async () => {
    const { connection, server } = await setUp();
    await connection.send("PING");
    await server.kill();
    for (let call = 0; call < 500; call++) {
      await expect(connection.send("PING")).rejects.toMatchObject({
        name: "ArchiveError",
        code: "UNREACHABLE",
      });
    }
    await server.restart();
    expect(await eventually(connection)).toBe("PONG");
  });

  it("gives up on a Redis that holds the line and says nothing, and recovers", async () => {
    const { connection, server } = await setUp(200);
    await connection.send("PING");
    server.pause();
    const calls = await Promise.allSettled([1, 2, 3].map(() => connection.send("PING")));
    expect(calls.every((call) => call.status === "rejected")).toBe(true);
    expect(calls[0]).toMatchObject({ reason: { code: "TIMEOUT" } });
    await expect(connection.send("PING")).rejects.toMatchObject({ code: "UNREACHABLE" });
    server.resume();
    expect(await eventually(connection)).toBe("PONG");
  });

  it("says what a refusal means, never the password", async () => {
    const server = await startRedis({ arguments: ["--requirepass", "right-word"] });
    onTestFinished(() => server.stop());
    const wrong = createRedisConnection(server.url.replace("//", "//:wrong-word@"), { timeoutMs: 20_000 });
    const error = await wrong.send("PING").catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining("refuses the name or the password"),
    });
    expect(JSON.stringify([error, String(error), wrong.location])).not.toContain("wrong-word");
    const right = createRedisConnection(server.url.replace("//", "//:right-word@"), { timeoutMs: 20_000 });
    expect(await right.send("PING")).toBe("PONG");
    await right.close();
  });

  it("uses the client it is given", async () => {
    const { server } = await setUp();
    const { createClient } = await import("@redis/client");
    const connect = () => createClient({ url: server.url, name: "ours" });
    const connection = createRedisConnection("redis://ignored", { timeoutMs: 20_000, connect });
    expect(String(await connection.send("CLIENT", "GETNAME"))).toBe("ours");
    await connection.close();
  });

  it("rejects what is on its way when it is closed", async () => {
    const { connection, server } = await setUp();
    await connection.send("PING");
    server.pause();
    const pending = connection.send("PING");
    await Promise.all([connection.close(), expect(pending).rejects.toMatchObject({ code: "CLOSED" })]);
    server.resume();
  });

  it.runIf(isFullRun)("keeps no process alive, whether Redis is there or away", async () => {
    const { server } = await setUp();
    expect(await exitCodeOf(server.url)).toBe(0);
    await server.kill();
    expect(await exitCodeOf(server.url)).toBe(0);
  });
});
