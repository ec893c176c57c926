import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { findOrder, orderSchema, orders, ordersAfter, syncOrders, words } from "./orders.mjs";

const server = new McpServer({ name: "orders", version: "1.0.0" });

function answer(structuredContent) {
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

server.registerTool(
  "list_orders",
  {
    description: words.list,
    inputSchema: z.object({
      cursor: z.string().optional().describe("next_cursor of the page before"),
      limit: z.number().int().min(1).max(1_000).default(20).describe("Orders on a page"),
    }),
    outputSchema: z.object({ orders: z.array(orderSchema), next_cursor: z.string().optional() }),
  },
  ({ cursor, limit }) => {
    const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
    const found = ordersAfter(after, limit + 1);
    const page = { orders: found.slice(0, limit) };
    if (found.length > limit) page.next_cursor = Buffer.from(found[limit - 1].id).toString("base64url");
    return answer(page);
  },
);

server.registerTool(
  "get_order",
  {
    description: words.get,
    inputSchema: z.object({ id: z.string().describe("Order id") }),
    outputSchema: z.object({ order: orderSchema }),
  },
  ({ id }) => {
    const order = findOrder(id);
    if (order !== undefined) return answer({ order });
    return { content: [{ type: "text", text: `Order not found: ${id}` }], isError: true };
  },
);

server.registerTool(
  "sync_orders",
  { description: words.sync, outputSchema: z.object({ synced: z.number() }) },
  () => answer({ synced: syncOrders() }),
);

server.registerTool(
  "export_orders",
  { description: words.export, outputSchema: z.object({ orders: z.array(orderSchema) }) },
  () => answer({ orders }),
);

await server.connect(new StdioServerTransport());
