import { faults } from "waybill";
import { defineTool, serve } from "waybill/server";
import * as z from "zod";
import { findOrder, orderSchema, orders, ordersAfter, syncOrders, words } from "./orders.mjs";

const list = defineTool(
  "list_orders",
  { description: words.list, outputSchema: z.object({ orders: z.array(orderSchema) }), paging: true },
  (_args, ctx) =>
    ctx.page({ path: "orders", fetch: ({ after, limit }) => ordersAfter(after, limit), key: ({ id }) => id }),
);

const get = defineTool(
  "get_order",
  {
    description: words.get,
    inputSchema: z.object({ id: z.string().describe("Order id") }),
    outputSchema: z.object({ order: orderSchema }),
  },
  ({ id }) => {
    const order = findOrder(id);
    if (order === undefined) throw faults.notFound("order", id);
    return { order };
  },
);

const sync = defineTool(
  "sync_orders",
  { description: words.sync, outputSchema: z.object({ synced: z.number() }) },
  () => ({ synced: syncOrders() }),
);

const exportAll = defineTool(
  "export_orders",
  { description: words.export, outputSchema: z.object({ orders: z.array(orderSchema) }) },
  () => ({ orders }),
);

await serve({ name: "orders", version: "1.0.0", tools: [list, get, sync, exportAll] });
