import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import { turns, until } from "../../../../engine/transport/until.fixture.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { OwnCall, ToolsReport } from "../protocol/places.ts";
import { ask, problemOf, watchedGateway } from "../routes.fixture.ts";
import { serverWith, servedUpstream } from "../served-upstream.fixture.ts";
import { Traffic } from "../traffic/traffic.ts";
import { PageClient } from "./tools-routes.ts";
import { toolsRoutes } from "./tools-routes.ts";

function open(upstreams: readonly WatchedUpstream[], bodies = true) {
  const traffic = new Traffic({ bodies });
  for (const upstream of upstreams) onTestFinished(traffic.watch(upstream));
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  return { traffic, closing, routes: toolsRoutes(watchedGateway(...upstreams), traffic, closing.signal) };
}

const words = serverWith((tool, args) => ({
  content: [{ type: "text", text: `${tool} found ${JSON.stringify(args)}` }],
}));

const key = `ghp_${"0Aa1".repeat(9)}`;

/** Tries until it holds; the test's own limit ends it otherwise. */
async function untilTried(tries: () => Promise<boolean>): Promise<void> {
  while (!(await tries())) await turns();
}

describe("GET /api/tools", () => {
  it("gives the tools of every server as clients get them, each with its tokens", async () => {
    const { routes } = open([servedUpstream("pages", words), servedUpstream("mail", words)]);
    const { upstreams } = await ask<ToolsReport>(routes, "/api/tools");
    expect(upstreams.map(({ upstream, state }) => [upstream, state])).toEqual([
      ["pages", "listed"],
      ["mail", "listed"],
    ]);
    const [pages] = upstreams;
    // The gateway's own tool is in the list that clients get, so it is here too.
    expect(pages?.tools.map(({ name }) => name)).toEqual(["search", "read", "waybill_retrieve"]);
    expect(pages?.tools[0]).toMatchObject({
      description: "Finds pages.",
      annotations: { readOnlyHint: true },
      inputSchema: { properties: { words: { type: "string" } } },
    });
    for (const { tokens } of pages?.tools ?? []) expect(tokens).toBeGreaterThan(5);
    const sum = pages?.tools.reduce((all, { tokens }) => all + tokens, 0) ?? 0;
    expect(Math.abs((pages?.tokens ?? 0) - sum)).toBeLessThan(10);
  });

  it("counts the whole definition, the schema of its results too", async () => {
    const tool = { name: "list", inputSchema: { type: "object" } };
    const outputSchema = {
      type: "object",
      properties: { total: { type: "number", description: "How many pages there are" } },
    };
    const listing = (listed: JsonObject) =>
      servedUpstream("pages", (method, params) =>
        method === "tools/list" ? { tools: [listed] } : words(method, params),
      );
    const tokensOf = async (listed: JsonObject): Promise<number> => {
      const { upstreams } = await ask<ToolsReport>(open([listing(listed)]).routes, "/api/tools");
      return upstreams[0]?.tools[0]?.tokens ?? 0;
    };
    expect(await tokensOf({ ...tool, outputSchema })).toBeGreaterThan((await tokensOf(tool)) + 15);
  });

  it("says what a typical result is like, from the calls so far", async () => {
    const { routes, traffic } = open([servedUpstream("pages", words)]);
    await traffic.load();
    const own = await ask<OwnCall>(routes, "/api/tools/call", {
      upstream: "pages",
      tool: "search",
      arguments: {},
    });
    const { upstreams } = await ask<ToolsReport>(routes, "/api/tools");
    const [search, read] = upstreams[0]?.tools ?? [];
    const { tokensIn, tokensOut } = traffic.row(1) ?? {};
    // One call has one number, wherever it is read.
    expect(search?.typical).toMatchObject({ calls: 1, failed: 0, tokensIn, tokensOut, isEstimated: false });
    expect(own.body?.tokens).toBe(tokensOut);
    expect(read?.typical).toBeUndefined();
  });

  it("says why where a server does not list them, and shows the others", async () => {
    const silent = servedUpstream("silent", (method) =>
      method === "initialize" ? words(method, {}) : new Error(`not today, ${key}`),
    );
    const { routes } = open([silent, servedUpstream("pages", words)]);
    const { upstreams } = await ask<ToolsReport>(routes, "/api/tools");
    expect(upstreams[0]).toMatchObject({ state: "failed", tools: [] });
    expect(upstreams[0]?.problem).toMatch(/^The server silent refused to list its tools: not today/);
    expect(upstreams[0]?.problem).not.toContain(key);
    expect(upstreams[1]).toMatchObject({ state: "listed" });
  });

  it("keeps a list for a while, and asks again after the server said that it changed", async () => {
    const pages = servedUpstream("pages", words);
    const { routes } = open([pages]);
    const lists = (): number => pages.requests.filter(({ method }) => method === "tools/list").length;
    await ask(routes, "/api/tools");
    await ask(routes, "/api/tools");
    expect(lists()).toBe(1);
    pages.notify("notifications/tools/list_changed");
    await untilTried(async () => {
      await ask(routes, "/api/tools");
      return lists() === 2;
    });
    expect(pages.connections().opened).toBe(1);
  });

  it("speaks to a server that knows only the modern era", async () => {
    const pages = servedUpstream("pages", (method, params) =>
      method === "initialize"
        ? new Error("Unsupported")
        : method === "server/discover"
          ? {
              supportedVersions: ["2026-07-28"],
              capabilities: { tools: {} },
              serverInfo: { name: "s", version: "1" },
            }
          : words(method, params),
    );
    const { routes } = open([pages]);
    const { upstreams } = await ask<ToolsReport>(routes, "/api/tools");
    expect(upstreams[0]).toMatchObject({ state: "listed" });
    expect(JSON.stringify(pages.requests.at(-1))).toContain("2026-07-28");
  });
});

describe("POST /api/tools/call", () => {
  const call = { upstream: "pages", tool: "search", arguments: { words: "a" } };

  it("calls as a client does: the call is in the traffic, marked as the page's own", async () => {
    const { routes, traffic } = open([servedUpstream("pages", words)]);
    const own = await ask<OwnCall>(routes, "/api/tools/call", call);
    expect(own).toMatchObject({ seq: 1, isError: false });
    expect(own.body?.text).toContain('search found {\\"words\\":\\"a\\"}');
    expect(traffic.row(1)).toMatchObject({ upstream: "pages", tool: "search", isOwn: true, ending: "ok" });
  });

  it("shows the result byte by byte, also a number that JavaScript cannot hold", async () => {
    const pages = servedUpstream("pages", words);
    const connect = async (): ReturnType<typeof pages.connect> => {
      const link = await pages.connect();
      return {
        send: (message) => link.send(message),
        close: () => link.close(),
        listen: (listener) =>
          link.listen({
            ...listener,
            message: (bytes) =>
              listener.message(
                Buffer.from(bytes.toString().replace('"search found', '12345678901234567890,"x":"')),
              ),
          }),
      };
    };
    const { routes } = open([{ ...pages, connect }]);
    const own = await ask<OwnCall>(routes, "/api/tools/call", call);
    expect(own.body?.text).toContain("12345678901234567890");
  });

  it("shows no content where bodies are off", async () => {
    const { routes } = open([servedUpstream("pages", words)], false);
    expect(await ask<OwnCall>(routes, "/api/tools/call", call)).toEqual({ seq: 1, isError: false });
  });

  it("tells a failure of the tool from a refusal of the server", async () => {
    const failing = serverWith((tool) =>
      tool === "read"
        ? { isError: true, content: [{ type: "text", text: "No such page" }] }
        : new Error("Unknown"),
    );
    const { routes, traffic } = open([servedUpstream("pages", failing)]);
    const own = await ask<OwnCall>(routes, "/api/tools/call", { upstream: "pages", tool: "read" });
    expect(own).toMatchObject({ seq: 1, isError: true });
    expect(traffic.row(1)).toMatchObject({ ending: "failed" });
    const refused = await problemOf(ask(routes, "/api/tools/call", call));
    expect(refused).toMatchObject({ code: "upstream", message: "The server refused the call: Unknown" });
  });

  it("sums names that no server lists as one, and masks what they hold", async () => {
    const { routes, traffic } = open([servedUpstream("pages", words)], false);
    for (const tool of ["serach", `read_${key}`, "search"])
      await ask(routes, "/api/tools/call", { upstream: "pages", tool });
    const [, planted, misspelt] = traffic.page(undefined, 3).rows;
    expect(misspelt?.tool).toBe("serach");
    expect(planted?.tool).toMatch(/^read_.*REDACTED/);
    const totals = traffic.overview().tools.map(({ tool, calls }) => [tool, calls]);
    expect(totals).toEqual([
      ["(unknown)", 2],
      ["search", 1],
    ]);
  });

  it.each([
    [{ upstream: "page", tool: "search" }, "not-found", /no upstream "page"/],
    [{ upstream: "pages" }, "invalid", /"tool" is missing/],
    [{ upstream: "pages", tool: "search", arguments: [] }, "invalid", /"arguments" is not an object/],
    [{ upstream: "pages", tool: "search", argument: {} }, "invalid", /Did you mean "arguments"/],
  ])("refuses %j", async (body, code, message) => {
    const { routes } = open([servedUpstream("pages", words)]);
    const problem = await problemOf(ask(routes, "/api/tools/call", body));
    expect([problem.code, problem.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it("connects again after the server went away, and leaves when the gateway closes", async () => {
    const pages = servedUpstream("pages", words);
    const { routes, closing } = open([pages]);
    await ask(routes, "/api/tools/call", call);
    pages.drop();
    await until(() => pages.connections().open === 0);
    await untilTried(() =>
      ask(routes, "/api/tools/call", call).then(
        () => true,
        () => false,
      ),
    );
    expect(pages.connections()).toEqual({ opened: 2, open: 1 });
    closing.abort();
    await until(() => pages.connections().open === 0);
  });

  it("gives up with the page that asked, and tells the server", async () => {
    const pages = servedUpstream("pages", (method, params) =>
      method === "tools/call" ? undefined : words(method, params),
    );
    const { routes } = open([pages]);
    const page = new AbortController();
    const route = routes.find(({ method }) => method === "POST");
    const request = { params: {}, query: new URLSearchParams(), body: call, signal: page.signal };
    const answering = problemOf(Promise.resolve(route?.answer(request)));
    await until(() => pages.requests.some(({ method }) => method === "tools/call"));
    page.abort();
    expect((await answering).message).toBe("The server pages was not waited for.");
    await until(() => pages.requests.some(({ method }) => method === "notifications/cancelled"));
  });

  it("makes at most eight calls at once", async () => {
    const pages = servedUpstream("pages", (method, params) =>
      method === "tools/call" ? undefined : words(method, params),
    );
    const { routes, closing } = open([pages]);
    const calls = Array.from({ length: 8 }, () => problemOf(ask(routes, "/api/tools/call", call)));
    await until(() => pages.requests.filter(({ method }) => method === "tools/call").length === 8);
    expect(await problemOf(ask(routes, "/api/tools/call", call))).toMatchObject({ code: "busy" });
    closing.abort();
    for (const { code } of await Promise.all(calls)) expect(code).toBe("upstream");
  });
});

describe("the page's own connection", () => {
  it("ends when nothing was asked for a while, and is made again when it is needed", async () => {
    const pages = servedUpstream("pages", words);
    const client = new PageClient(pages, () => undefined, 20);
    await client.list();
    await until(() => pages.connections().open === 0);
    await client.list();
    expect(pages.connections().opened).toBe(2);
    client.close();
    await until(() => pages.connections().open === 0);
  });
});
