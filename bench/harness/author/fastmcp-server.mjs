import { FastMCP, UserError } from "fastmcp";
import * as z from "zod";
import { findOrder, orderSchema, orders, ordersAfter, syncOrders, words } from "./orders.mjs";

const server = new FastMCP({ name: "orders", version: "1.0.0" });

server.addTool({
  name: "list_orders",
  description: words.list,
  parameters: z.object({
    cursor: z.string().optional().describe("next_cursor of the page before"),
    limit: z.number().int().min(1).max(1_000).default(20).describe("Orders on a page"),
  }),
  outputSchema: z.object({ orders: z.array(orderSchema), next_cursor: z.string().optional() }),
  execute: async ({ cursor, limit }) => {
    const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
    const found = ordersAfter(after, limit + 1);
    const page = { orders: found.slice(0, limit) };
    if (found.length > limit) page.next_cursor = Buffer.from(found[limit - 1].id).toString("base64url");
    return page;
  },
});

server.addTool({
  name: "get_order",
  description: words.get,
  parameters: z.object({ id: z.string().describe("Order id") }),
  outputSchema: z.object({ order: orderSchema }),
  execute: async ({ id }) => {
    const order = findOrder(id);
    if (order === undefined) throw new UserError(`Order not found: ${id}`);
    return { order };
  },
});

server.addTool({
  name: "sync_orders",
  description: words.sync,
  outputSchema: z.object({ synced: z.number() }),
  execute: async () => ({ synced: syncOrders() }),
});

server.addTool({
  name: "export_orders",
  description: words.export,
  outputSchema: z.object({ orders: z.array(orderSchema) }),
  execute: async () => ({ orders }),
});

await server.start({ transportType: "stdio" });
