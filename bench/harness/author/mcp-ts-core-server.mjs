import { createApp, tool } from "@cyanheads/mcp-ts-core";
import { notFound } from "@cyanheads/mcp-ts-core/errors";
import * as z from "zod";
import { findOrder, orderSchema, orders, ordersAfter, syncOrders, words } from "./orders.mjs";

const list = tool("list_orders", {
  description: words.list,
  input: z.object({
    cursor: z.string().optional().describe("next_cursor of the page before"),
    limit: z.number().int().min(1).max(1_000).default(20).describe("Orders on a page"),
  }),
  output: z.object({ orders: z.array(orderSchema), next_cursor: z.string().optional() }),
  handler: ({ cursor, limit }) => {
    const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
    const found = ordersAfter(after, limit + 1);
    const page = { orders: found.slice(0, limit) };
    if (found.length > limit) page.next_cursor = Buffer.from(found[limit - 1].id).toString("base64url");
    return page;
  },
});

const get = tool("get_order", {
  description: words.get,
  input: z.object({ id: z.string().describe("Order id") }),
  output: z.object({ order: orderSchema }),
  handler: ({ id }) => {
    const order = findOrder(id);
    if (order === undefined) throw notFound(`Order not found: ${id}`);
    return { order };
  },
});

const sync = tool("sync_orders", {
  description: words.sync,
  input: z.object({}),
  output: z.object({ synced: z.number() }),
  handler: () => ({ synced: syncOrders() }),
});

const exportAll = tool("export_orders", {
  description: words.export,
  input: z.object({}),
  output: z.object({ orders: z.array(orderSchema) }),
  handler: () => ({ orders }),
});

await createApp({ name: "orders", version: "1.0.0", tools: [list, get, sync, exportAll] });
