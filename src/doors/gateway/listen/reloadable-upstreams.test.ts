import { writeFileSync } from "node:fs";
import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTempFolder } from "../../../engine/settings/temp-folder.fixture.ts";
import { watchConfig } from "../../../engine/settings/watch-config.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { followGatewayFile, readGatewayConfig } from "../config/read-gateway-config.ts";
import type { UpstreamOptions } from "../gateway-options.ts";
import { ReloadableUpstreams } from "./over-http.ts";

/** Upstreams that answer with their command, or when they are told to. */
function opening(open?: (name: string) => void) {
  const started: string[] = [];
  const closed: string[] = [];
  const waiting: ServerResponse[] = [];
  const refused: string[] = [];
  const upstreams = new ReloadableUpstreams({
    open: (name, options: UpstreamOptions) => {
      open?.(name);
      const own = options.command ?? options.url;
      started.push(own);
      return {
        handle: (request, response, { headers }) => {
          if (request.method === "GET") return response.writeHead(200).flushHeaders();
          if (headers["x-wait"] === undefined) return void response.end(own);
          waiting.push(response);
          response.flushHeaders();
          return undefined;
        },
        knows: ({ headers }) => headers["mcp-session-id"] === `session of ${own}`,
        probe: { isKnown: true, start: () => undefined, health: () => ({ state: "up", restarts: 0 }) },
        close: async () => void closed.push(own),
      };
    },
    onFailure: () => undefined,
    onRefused: (name, reason) => void refused.push(`${name}: ${reason}`),
  });
  return { upstreams, started, closed, waiting, refused };
}

async function serve(
  upstreams: ReloadableUpstreams,
): Promise<(name: string, init?: RequestInit) => Promise<Response>> {
  const server = createServer((request, response) => {
    const served = upstreams.served().get(request.url?.slice(1) ?? "");
    const headers = request.headers as Record<string, string>;
    const verdict = served?.authenticate(headers);
    void Promise.resolve(verdict).then((known) => {
      if (served === undefined || known === undefined) return void response.writeHead(404).end();
      if (known.kind === "refused") return void response.writeHead(known.status).end(known.message);
      return served.handle(request, response, { ...known, peer: undefined });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (name, init) => fetch(`http://127.0.0.1:${port}/${name}`, { method: "POST", ...init });
}

const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();

describe("ReloadableUpstreams", () => {
  it("lets a call finish on the server that it began with, while new calls go to the new one", async () => {
    const { upstreams, closed, waiting } = opening();
    const post = await serve(upstreams);
    upstreams.apply({ files: { command: "old" }, mail: { command: "mail" } });
    const running = await post("files", { headers: { "x-wait": "yes" } });
    upstreams.apply({ files: { command: "new" }, mail: { command: "mail" } });
    expect(await textOf(post("files"))).toBe("new");
    expect(closed).toEqual([]);
    waiting[0]?.end("old, to the end");
    expect(await running.text()).toBe("old, to the end");
    await vi.waitFor(() => expect(closed).toEqual(["old"]));
    expect(await textOf(post("mail"))).toBe("mail");
  });

  it("sends what belongs to a session of the old server there, as long as a call of it runs", async () => {
    const { upstreams, closed, waiting } = opening();
    const post = await serve(upstreams);
    upstreams.apply({ files: { command: "old" } });
    const running = await post("files", { headers: { "x-wait": "yes" } });
    const headers = { "mcp-session-id": "session of old" };
    upstreams.apply({});
    expect(await textOf(post("files", { headers }))).toBe("old");
    expect((await post("files")).status).toBe(404);
    waiting[0]?.end();
    await running.text();
    await vi.waitFor(() => expect(closed).toEqual(["old"]));
    expect((await post("files", { headers })).status).toBe(404);
  });

  it("does not wait for a stream that a client only listens on", async () => {
    const { upstreams, closed } = opening();
    const post = await serve(upstreams);
    upstreams.apply({ files: { command: "old" } });
    await post("files", { method: "GET" });
    upstreams.apply({ files: { command: "new" } });
    expect(closed).toEqual(["old"]);
  });

  it("changes nothing when one of the new servers cannot be opened", async () => {
    const { upstreams, started, closed } = opening((name) => {
      if (name === "broken") throw new Error("no such thing");
    });
    const post = await serve(upstreams);
    upstreams.apply({ files: { command: "old" } });
    expect(() => upstreams.apply({ files: { command: "new" }, broken: { command: "x" } })).toThrow("no such");
    expect(await textOf(post("files"))).toBe("old");
    expect([started, closed]).toEqual([["old", "new"], ["new"]]);
  });

  it("asks callers for their token, by the options of now, and tells who was refused", async () => {
    const { upstreams, refused } = opening();
    const post = await serve(upstreams);
    const gateway = { tokens: { ada: "ada-token-0123456789" } };
    upstreams.apply({ files: { command: "old", auth: { gateway } } });
    expect((await post("files")).status).toBe(401);
    const headers = { authorization: "Bearer ada-token-0123456789" };
    expect(await textOf(post("files", { headers }))).toBe("old");
    expect(refused).toEqual(["files: no-token"]);
    expect(await upstreams.served().get("files")?.authenticate(headers)).toMatchObject({
      principal: "ada",
      authInfo: { clientId: "ada", extra: { sub: "files/ada" } },
    });
  });
});

describe("followGatewayFile", () => {
  it("applies what changes in the file, and says what it cannot apply", async () => {
    const folder = createTempFolder();
    const file = folder.path("repo/gateway.json");
    const write = (config: object): void => writeFileSync(file, JSON.stringify(config));
    write({ http: { port: 0 }, upstreams: { files: { command: "one" } } });
    const watch = await watchConfig({ configPath: file, environment: {} });
    onTestFinished(() => watch.close());
    const lines: string[] = [];
    const log = createLog({ sink: (line) => void lines.push(line) });
    const { upstreams, started, closed } = opening();
    const first = readGatewayConfig(watch.current);
    upstreams.apply(first.upstreams);
    onTestFinished(followGatewayFile(watch, { log, apply: (next) => upstreams.apply(next.upstreams) }));

    write({ http: { port: 0 }, upstreams: { files: { command: "two" }, mail: { command: "mail" } } });
    await vi.waitFor(() => expect(started).toEqual(["one", "two", "mail"]));
    expect(closed).toEqual(["one"]);
    write({ http: { port: 0 }, upstreams: { files: { command: "two", budget: { tokens: 900 } } } });
    await vi.waitFor(() => expect(closed).toEqual(["one", "mail"]));
    expect(watch.current.gateway?.settings["files"]).toMatchObject({ budget: { tokens: 900 } });
    write({ http: { port: 0 }, upstreams: { files: {} } });
    await vi.waitFor(() =>
      expect(lines.join("")).toMatch(/config-problem.*not said how to reach upstreams\./),
    );
    write({ http: { port: 1 }, upstreams: { files: { command: "two" } } });
    await vi.waitFor(() => expect(lines.join("")).toMatch(/config-waits-for-restart/));
    expect(started).toEqual(["one", "two", "mail"]);
  });
});
