import { spawnSync } from "node:child_process";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-1-32/client/streamableHttp.js";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";
import { compose, containerOf, filledArgs, objectOf, read, wordsOf } from "./deploy-files.fixture.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.fixture.ts";

const token = "0123456789abcdef0123456789abcdef";
const deployed = containerOf(objectOf("Deployment", "waybill-gateway"));

const manifests = [
  {
    name: "deploy/compose.yaml",
    redis: compose().services["redis"]?.command ?? [],
    words: compose().services["gateway"]?.command ?? [],
    config: read("deploy/gateway.json"),
  },
  {
    name: "deploy/kubernetes.yaml",
    redis: filledArgs(containerOf(objectOf("StatefulSet", "waybill-redis")), { REDISCLI_AUTH: token }),
    words: filledArgs(deployed, { REDIS_PASSWORD: token }),
    config: objectOf("ConfigMap", "waybill").data?.["gateway.json"] ?? "",
  },
];

describe.runIf(isFullRun && hasRedis()).each(manifests)("what $name starts", ({ redis, words, config }) => {
  let server: RedisServer;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    server = await startRedis({ arguments: redis.slice(1) });
    const wanted = parse(config, undefined, { allowTrailingComma: true }) as { http: object };
    // The same but for the place: a port of its own on loopback, and the Redis of this test.
    const here = { ...wanted, http: { ...wanted.http, host: "127.0.0.1", port: 0 }, store: server.url };
    const place = server.url.replace("redis://", "");
    const started = words.map((word) => word.replace("waybill-redis:6379", place));
    gateway = await startGateway(started, here, { WAYBILL_TOKEN: token, WAYBILL_SECRET: token });
  });
  afterAll(() => server.stop());

  it("is healthy by the image's own check, and ready by the probes", async () => {
    const [command = "", ...args] = wordsOf("HEALTHCHECK");
    const here = args.map((word) => word.replace("http://127.0.0.1:3333", gateway.origin));
    expect(spawnSync(command, here).status).toBe(0);
    const elsewhere = args.map((word) => word.replace("3333", "1"));
    expect(spawnSync(command, elsewhere).status).toBe(1);
    for (const probe of [deployed.livenessProbe, deployed.readinessProbe])
      // It is ready when its server was started once.
      await expect
        .poll(async () => (await fetch(`${gateway.origin}${probe?.httpGet.path}`)).status, {
          timeout: 20_000,
        })
        .toBe(200);
  });

  it("lets only those in who have the token, and serves them the server's tools", async () => {
    const url = new URL(`${gateway.origin}/everything/mcp`);
    const refused = await fetch(url, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="waybill"');
    const client = new Client({ name: "deploy", version: "1.0.0" });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo");
    await client.callTool({ name: "echo", arguments: { message: "hello" } });
    await client.close();
    expect(gateway.stderr()).not.toContain(token);
  });

  it("tells Prometheus what it did", async () => {
    const page = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(page).toContain('waybill_calls_total{upstream="everything",tool="echo",outcome="success"} 1');
    expect(page).toContain('waybill_auth_refusals_total{upstream="everything",reason="no-token"} 1');
  });

  it("ends well when it is told to stop", async () => {
    expect(await gateway.stop()).toBe(0);
  });
});

describe.runIf(isFullRun)("the pause before a stop", () => {
  it("is a command that ends by itself", () => {
    const [command = "", ...args] = deployed.lifecycle?.preStop.exec.command ?? [];
    expect(spawnSync(command, args).status).toBe(0);
  });
});
