// The same parcels in a server that knows nothing of the contract: what the gateway is for.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { parcels } from "./parcels.ts";

const textOf = (value: unknown) => ({
  content: [{ type: "text" as const, text: JSON.stringify(value) }],
});

serveStdio(() => {
  const server = new McpServer({ name: "plain-parcels", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  const list = { description: "All parcels", inputSchema: z.object({}), annotations };
  server.registerTool("parcel_list", list, () => textOf({ parcels }));
  const get = {
    description: "One parcel by its number",
    inputSchema: z.object({ parcel_id: z.string() }),
    annotations,
  };
  server.registerTool("parcel_get", get, ({ parcel_id }) => {
    const parcel = parcels.find((one) => one.parcel_id === parcel_id);
    if (parcel === undefined) throw new Error(`Parcel not found: ${parcel_id}`);
    return textOf({ parcel });
  });
  return server;
});
