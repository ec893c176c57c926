import { afterEach, describe, expect, it, vi } from "vitest";
import { expectedVisit, visitTasks } from "./visit-tasks.fixture.ts";

const address = "http://tasks.invalid/mcp";

// Each host has a server of its own, with the tasks that it began with.
afterEach(() => vi.resetModules());

describe("examples/fetch", () => {
  it("answers as a route of Hono", async () => {
    const { app } = await import("../../examples/fetch/hono.ts");
    expect(await visitTasks(address, (request) => app.fetch(request))).toEqual(expectedVisit);
    expect((await app.request("/")).status).toBe(200);
  });

  it("answers as a route handler of Next.js, one for each method", async () => {
    const route = await import("../../examples/fetch/next/app/mcp/route.ts");
    const handlers: Readonly<Record<string, (request: Request) => Promise<Response>>> = route;
    const byMethod = (request: Request): Promise<Response> | Response =>
      handlers[request.method]?.(request) ?? new Response(null, { status: 405 });
    expect(await visitTasks(address, byMethod)).toEqual(expectedVisit);
  });

  it("answers as the fetch of a runtime", async () => {
    const { default: server } = await import("../../examples/fetch/server.ts");
    expect(await visitTasks(address, server.fetch)).toEqual(expectedVisit);
  });
});
