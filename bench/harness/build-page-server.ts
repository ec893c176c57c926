import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { loadServer } from "./built.ts";
import { type BenchRecord, recordsOfSize } from "./records.ts";

type IdRecord = BenchRecord & { readonly id: string };

const hasId = (record: BenchRecord): record is IdRecord => typeof record["id"] === "string";

/** The lists of the page bench, by the bytes of one page. */
export const pageSizes = { kb1: 1_000, kb10: 10_000, kb30: 30_000 } as const;

/**
 * For each size two tools of one Waybill server that list the same records: `plain_…` returns them, `page_…` gives them
 * by `ctx.page` with a cursor to the next page. Both ask the same source, which answers later. The server reports its own
 * CPU time.
 */
export async function buildPageServer(): Promise<McpServer> {
  const mcp = new McpServer({ name: "pages", version: "1.0.0" });
  mcp.registerTool("cpu", { description: "CPU time of this process" }, () => {
    const { user, system } = process.cpuUsage();
    return { content: [{ type: "text", text: String(user + system) }] };
  });
  const { createContract } = await loadServer();
  const server = createContract({ name: "pages", budget: { tokens: "off" } }).server(mcp);
  const annotations = { readOnlyHint: true };
  const inputSchema = z.object({ status: z.string().optional() });
  for (const [name, bytes] of Object.entries(pageSizes)) {
    const records = recordsOfSize(bytes);
    const rows = [...records, ...recordsOfSize(bytes, 2)].filter(hasId);
    const fetch = async (after: string | undefined, limit: number): Promise<readonly IdRecord[]> => {
      const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
      return rows.slice(start, start + limit);
    };
    server.registerTool(`plain_${name}`, { description: "Records", annotations, inputSchema }, async () => ({
      records: await fetch(undefined, records.length),
    }));
    server.registerTool(
      `page_${name}`,
      { description: "Records", annotations, inputSchema, paging: true },
      (_args, ctx) =>
        ctx.page({
          path: "records",
          fetch: ({ after, limit }) => fetch(after, limit),
          key: (record: IdRecord) => record.id,
          limit: records.length,
        }),
    );
  }
  return mcp;
}
