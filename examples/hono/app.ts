// The contract behind Hono. The app has one `fetch`, so it runs on Node, Bun, Deno and Cloudflare Workers as it is.

import { type AuthInfo, McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { createContract } from "waybill/server";
import { parcelGet, parcelList } from "../parcels/parcel-tools.ts";

const info = { name: "hono-parcels", version: "1.0.0" } as const;
/** `members` has a subject for each token. Each of them reads only what was cut for them. */
export function parcelApp(members: Readonly<Record<string, string>>) {
  // Once for all requests: limits, archives and keys live in it. The server object is made for each request.
  const contract = createContract({
    ...info,
    tools: [parcelList, parcelGet],
    budget: { tokens: 1_000 },
    // For this example only: a deployment sets WAYBILL_SECRET, and then nothing is left to warn of at the start.
    logLevel: "error",
  });
  const handler = createMcpHandler(() => contract.server(new McpServer(info)));

  const app = new Hono();
  app.get("/healthz", (context) => context.json({ ok: true }));
  app.use("/mcp", bodyLimit({ maxSize: 1024 * 1024 }));
  app.use("/mcp", bearerAuth({ token: Object.keys(members) }));
  app.all("/mcp", (context) => {
    const token = context.req.header("Authorization")?.slice("Bearer ".length) ?? "";
    const authInfo: AuthInfo = { token, clientId: info.name, scopes: [], extra: { sub: members[token] } };
    return handler.fetch(context.req.raw, { authInfo });
  });
  return { app, close: () => contract.close() };
}
