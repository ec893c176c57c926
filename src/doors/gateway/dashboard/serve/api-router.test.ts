import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApiProblem, type ApiRequest, type ApiRoute } from "../dashboard-parts.ts";
import { ApiRouter } from "./api-router.ts";
import { type Answer, type Asking, ask } from "./dashboard.fixture.ts";

const page = { "content-type": "application/json", "x-waybill": "page" };

async function serve(routes: readonly ApiRoute[], allowed = { actions: false, bodies: false }) {
  const failures: unknown[] = [];
  const router = new ApiRouter(routes, allowed, (error) => failures.push(error));
  const server = createServer((request, response) =>
    router.take(request, response, new URL(`http://127.0.0.1${request.url}`)),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    failures,
    address: `http://127.0.0.1:${port}`,
    ask: (path: string, asking?: Asking) => ask(port, path, asking),
  };
}

function codeOf({ status, body }: Answer): readonly [number, unknown] {
  const { error } = JSON.parse(body) as { readonly error?: { readonly code: string } };
  return [status, error?.code];
}

const echo = ({ params, query, body }: ApiRequest) => ({ params, query: [...query], body });

describe("the router of the page's API", () => {
  it("finds a route by its path, the one without names first, and decodes their values", async () => {
    const { ask: get } = await serve([
      { method: "GET", path: "/api/tools/:upstream/:tool", answer: echo },
      { method: "GET", path: "/api/tools/:upstream/all", answer: () => "all" },
      { method: "POST", path: "/api/tools/:upstream/all", answer: echo },
    ]);
    expect(JSON.parse((await get("/api/tools/a/all")).body)).toBe("all");
    expect(JSON.parse((await get("/api/tools/my%20files/a%2Fb?limit=2&x=%C3%A4")).body)).toEqual({
      params: { upstream: "my files", tool: "a/b" },
      query: [
        ["limit", "2"],
        ["x", "ä"],
      ],
    });
    const sent = await get("/api/tools/a/all", { method: "POST", headers: page, body: '{"__proto__":1}' });
    expect(JSON.parse(sent.body)).toMatchObject({ params: { upstream: "a" }, body: {} });
  });

  it("refuses with a code and a remedy what leads nowhere", async () => {
    const { ask: get } = await serve([{ method: "POST", path: "/api/x/:name", answer: echo }]);
    for (const path of ["/api/y", "/api/x", "/api/x/", "/api/x/a/b", "/api/x/%E0%A4%A"])
      expect(codeOf(await get(path))).toEqual([404, "not-found"]);
    const other = await get("/api/x/a");
    expect(codeOf(other)).toEqual([405, "invalid"]);
    expect(other.headers.allow).toBe("POST");
  });

  it("takes a POST only as JSON from the page itself", async () => {
    const { ask: send } = await serve([{ method: "POST", path: "/api/x", answer: echo }]);
    const post = async (headers: Record<string, string>, body = "{}") =>
      codeOf(await send("/api/x", { method: "POST", headers, body }));
    expect(await post(page)).toEqual([200, undefined]);
    expect(await post({ ...page, "content-type": "application/json; charset=utf-8" })).toEqual([
      200,
      undefined,
    ]);
    expect(await post({ "content-type": "application/json" })).toEqual([403, "invalid"]);
    expect(await post({ ...page, "content-type": "text/plain" })).toEqual([415, "invalid"]);
    expect(await post({ ...page, "content-type": "application/x-www-form-urlencoded" })).toEqual([
      415,
      "invalid",
    ]);
    expect(await post(page, "no json")).toEqual([400, "invalid"]);
    expect(await post(page, "")).toEqual([400, "invalid"]);
  });

  it("reads no more than 1 MiB of a POST, whether it says its length or not", async () => {
    const { ask: send } = await serve([{ method: "POST", path: "/api/x", answer: () => "taken" }]);
    const long = JSON.stringify("x".repeat(1_048_576));
    expect(codeOf(await send("/api/x", { method: "POST", headers: page, body: long }))).toEqual([
      413,
      "invalid",
    ]);
    const unsaid = { ...page, "transfer-encoding": "chunked" };
    expect(codeOf(await send("/api/x", { method: "POST", headers: unsaid, body: long }))).toEqual([
      413,
      "invalid",
    ]);
    const short = JSON.stringify("x".repeat(1_048_574));
    expect((await send("/api/x", { method: "POST", headers: page, body: short })).body).toBe('"taken"');
  });

  it("asks a route only where its switch is on, and says which flag that is", async () => {
    let asked = 0;
    const routes = (["actions", "bodies"] as const).map((needs): ApiRoute => ({
      method: "POST",
      path: `/api/${needs}`,
      needs,
      answer: () => (asked += 1),
    }));
    const off = await serve(routes);
    for (const needs of ["actions", "bodies"]) {
      const answer = await off.ask(`/api/${needs}`, { method: "POST", headers: page, body: "{}" });
      expect(codeOf(answer)).toEqual([403, `${needs}-off`]);
      expect(answer.body).toContain(`--dashboard-${needs}`);
    }
    expect(asked).toBe(0);
    const on = await serve(routes, { actions: true, bodies: false });
    expect(codeOf(await on.ask("/api/actions", { method: "POST", headers: page, body: "{}" }))).toEqual([
      200,
      undefined,
    ]);
    expect(asked).toBe(1);
  });

  it("tells a problem of a route, and of any other error nothing but that there was one", async () => {
    const { ask: get, failures } = await serve([
      {
        method: "GET",
        path: "/api/gone",
        answer: () => Promise.reject(new ApiProblem("not-kept", "It is gone.", "Call again.")),
      },
      {
        method: "GET",
        path: "/api/broken",
        answer: () => {
          throw new Error("the password is hunter2");
        },
      },
    ]);
    const gone = await get("/api/gone");
    expect(gone.status).toBe(410);
    expect(JSON.parse(gone.body)).toEqual({
      error: { code: "not-kept", message: "It is gone.", remedy: "Call again." },
    });
    const broken = await get("/api/broken");
    expect(codeOf(broken)).toEqual([500, "failed"]);
    expect(broken.body).not.toContain("hunter2");
    expect(failures).toHaveLength(1);
  });

  it("tells a route when the page goes away", async () => {
    let left: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    let started: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (started = resolve));
    const { address, failures } = await serve([
      {
        method: "GET",
        path: "/api/slow",
        answer: ({ signal }) => {
          started();
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              left();
              reject(new Error("nobody waits"));
            });
          });
        },
      },
    ]);
    const leaving = new AbortController();
    const waiting = fetch(`${address}/api/slow`, { signal: leaving.signal }).catch(() => "given up");
    await asked;
    leaving.abort();
    await gone;
    expect(await waiting).toBe("given up");
    expect(failures).toEqual([]);
  });
});
