// The workshop as a Cloudflare Worker. A Worker has no folder, so the data comes in as texts by their paths.

import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { defineTiers } from "waybill";
import { type CallRequest, createContract } from "waybill/server";
import { KeptData } from "./kept-data.ts";
import { workshopInfo, workshopTools } from "./workshop-tools.ts";

export interface WorkshopWorker {
  fetch(request: Request): Promise<Response>;
}

/** What a Worker's module exports. The contract is made once, and outlives the requests of one instance. */
export function workshopWorker(texts: Readonly<Record<string, string>>): WorkshopWorker {
  const tiers = defineTiers<CallRequest>({});
  const contract = createContract({ ...workshopInfo, tiers, features: { pagination: true, progress: true } });
  const data = new KeptData({
    has: (path) => Object.hasOwn(texts, path),
    read: (path) => {
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
      return text === undefined
        ? Promise.reject(new Error(`No ${path} in the bundle`))
        : Promise.resolve(text);
    },
  });
  const tools = workshopTools(data, tiers);
  const handler = createMcpHandler(() =>
    contract
      .server(new McpServer(workshopInfo))
      .add(...tools)
      .addServerTool(),
  );
  return {
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/mcp") return handler.fetch(request);
      return Promise.resolve(new Response("The workshop answers at /mcp.\n", { status: 404 }));
    },
  };
}
