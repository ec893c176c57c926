import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { clientKinds, connectClient } from "./clients/connect-client.ts";
import { type HttpWorkshop, startHttp } from "./clients/workshop-process.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

// As somebody with the source runs it.
const asStarted = ["--import", "tsx", "examples/workshop/http.ts"];
let http: HttpWorkshop;

beforeAll(async () => {
  http = await startHttp({}, asStarted);
});
afterAll(() => http.stop());

/** The status of a POST with the given headers; fetch would not let a test choose its own Host. */
function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const sent = request(http.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.end(body);
  });
}

describe("the workshop over HTTP", () => {
  it("prints its URL, a client's configuration, and a first call that works with curl as it is", async () => {
    const printed = http.printed();
    const config = /\{\n {2}"mcpServers"[\s\S]*?\n\}/.exec(printed)?.[0] ?? "";
    expect(JSON.parse(config)).toEqual({ mcpServers: { workshop: { type: "http", url: http.url } } });
    const call = /curl [\s\S]*?'\{"jsonrpc.*'/.exec(printed)?.[0] ?? "";
    const { stdout } = await promisify(execFile)("bash", ["-c", call]);
    expect(stdout).toContain('"success":true');
    expect(stdout).toContain("Implement login");
  });

  it("takes local hosts and origins only", async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ Origin: "http://localhost:5173" })).toBe(200);
    expect(await statusOf({ Origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ Host: "evil.example" })).toBe(403);
  });

  it("refuses a token it does not know", async () => {
    expect(await statusOf({ Authorization: "Bearer demo-pat" })).toBe(200);
    expect(await statusOf({ Authorization: "Bearer wrong" })).toBe(401);
    expect(await statusOf({ Authorization: "Basic d3Jvbmc6d3Jvbmc=" })).toBe(401);
  });

  it.runIf(isFullRun)("ends with 0 on SIGTERM and on SIGINT", async () => {
    const codes = (["SIGTERM", "SIGINT"] as const).map(async (signal) => (await startHttp()).stop(signal));
    expect(await Promise.all(codes)).toEqual([0, 0]);
  });
});

describe("what a token's tier unlocks", () => {
  const scan = { name: "security_scan", arguments: { path: "/runner.py", depth: "deep" } };
  const fixes = { name: "security_scan", arguments: { path: "/runner.py", include_fixes: true } };
  const call = async (token: string, params: { name: string; arguments: JsonObject }) => {
    const client = await connectClient(clientKinds[0], { transport: "http", url: http.url, token });
    const result = await client.call(params);
    await client.close();
    return result;
  };

  // shows 002.25
  it("is refused below it, with a hint", async () => {
    const refused = await call("demo-ann", scan);
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: {
        error: { error_code: "upgrade_required" },
        upgrade_hints: [{ feature: "deep_scan", tier: "pro" }],
      },
    });
    expect((await call("demo-pat", scan))["isError"]).toBeUndefined();
  });

  // shows 002.25
  it("is hinted at in a success that has less to show", async () => {
    expect(await call("demo-ann", fixes)).toMatchObject({
      structuredContent: { upgrade_hints: [{ feature: "fixes", tier: "pro" }] },
    });
    const full = await call("demo-max", fixes);
    expect(full["structuredContent"]).not.toHaveProperty("upgrade_hints");
    expect(JSON.stringify(full["structuredContent"])).toContain('"fix"');
  });
});

describe("the rate limiter over HTTP", () => {
  it.each(someOf(clientKinds, 1))(
    "refuses client $version in the $era era, although each request has a server object of its own",
    async (kind) => {
      const client = await connectClient(kind, { transport: "http", url: http.url, token: kind.token });
      const ask = { name: "research", arguments: { action: "search", query: "no such thing" } };
      const results: JsonObject[] = [];
      for (let made = 0; made < 101; made += 1) results.push(await client.call(ask));
      const refused = results.filter((result) => result["isError"] === true);
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({
        structuredContent: {
          data: { error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" },
          meta: { rate_limit: { limit: 100, remaining: 0 } },
        },
      });
      // The tenth last is told that the end is near.
      expect(JSON.stringify(results[91]?.["structuredContent"])).toContain("RATE_LIMIT_APPROACHING");
      await client.close();
    },
  );

  it("keeps the quotas of two callers apart", async () => {
    const client = await connectClient(clientKinds[0], {
      transport: "http",
      url: http.url,
      token: "demo-pat",
    });
    const result = await client.call({ name: "research", arguments: { action: "search", query: "" } });
    expect(result["isError"]).toBeUndefined();
    await client.close();
  });
});
