// The contract behind Hono. The app has one `fetch`, so it runs on Node, Bun, Deno and Cloudflare Workers as it is.

import { Hono } from "hono";
import { serveFetch } from "waybill/web";
import { parcelGet, parcelList } from "../parcels/parcel-tools.ts";

/** `members` has a subject for each token. Each of them reads only what was cut for them. */
export function parcelApp(members: Readonly<Record<string, string>>) {
  const subjects = new Map(Object.entries(members));
  const parcels = serveFetch({
    name: "hono-parcels",
    version: "1.0.0",
    tools: [parcelList, parcelGet],
    budget: { tokens: 1_000 },
    // For this example only: a deployment sets WAYBILL_SECRET, and then nothing is left to warn of at the start.
    logLevel: "error",
    auth: (request) => subjects.get((request.headers.get("authorization") ?? "").replace(/^Bearer /, "")),
  });

  const app = new Hono();
  app.get("/healthz", (context) => context.json({ ok: true }));
  app.all("/mcp", (context) => parcels(context.req.raw));
  return { app, close: parcels.close };
}
