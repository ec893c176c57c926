import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { makeCertificate } from "../../../../test/services/certificate.fixture.ts";
import {
  type RedisServer,
  freePort,
  hasOpenssl,
  hasRedis,
  startRedis,
} from "../../../../test/services/redis.fixture.ts";
import { createRedisRateStore } from "../../guards/redis-rate-store.ts";
import { storeFacts } from "../store-facts.fixture.ts";
import type { RedisClient } from "./redis-client.ts";
import { redisStore } from "./redis-store.ts";

/** Runs the fixture that puts and gets one entry; gives what it wrote and how it ended. */
async function runFixture(url: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const fixture = new URL("redis-idle.fixture.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", fixture, url, "must"], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

describe.runIf(hasRedis() && hasOpenssl() && isFullRun)("redisStore over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-tls-"));
  let server: RedisServer;
  let url: string;
  let cert: string;
  let count = 0;

  beforeAll(async () => {
    const made = makeCertificate(folder);
    const port = await freePort();
    const tls = ["--tls-cert-file", made.cert, "--tls-key-file", made.key, "--tls-ca-cert-file", made.cert];
    const open = ["--tls-port", String(port), "--tls-auth-clients", "no", "--requirepass", "right-word"];
    server = await startRedis({ arguments: [...tls, ...open] });
    url = `rediss://:right-word@localhost:${port}`;
    cert = made.cert;
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = (): RedisClient =>
    createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      socket: { tls: true, ca: readFileSync(cert), reconnectStrategy: false },
    });

  const create = (options = {}) =>
    redisStore(url, { prefix: `tls-${++count}`, timeoutMs: 20_000, connect, ...options });

  storeFacts("redisStore over TLS", { create: async (options) => create(options) });

  it("counts limits", async () => {
    const store = create();
    onTestFinished(() => store.close());
    const limits = createRedisRateStore(store.connection, { limit: 2, periodSeconds: 60 });
    const takes = [await limits.take("ann", 2), await limits.take("ann", 1)];
    expect(takes.map(({ taken }) => taken)).toEqual([true, false]);
  });

  it("needs nothing but a rediss URL where the certificate's issuer is known to Node", async () => {
    expect(await runFixture(url, { NODE_EXTRA_CA_CERTS: cert })).toBe(0);
  }, 60_000);

  it("does not talk to a server whose certificate is not trusted", async () => {
    expect(await runFixture(url, {})).toBe(1);
    const store = redisStore(url, { prefix: "nobody" });
    onTestFinished(() => store.close());
    const failure = await store.put("a", ["[1]"]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNREACHABLE" });
    expect(String(failure)).toMatch(/certificate/i);
    expect(String(failure)).not.toContain("right-word");
  }, 60_000);
});
