// The HTTP server of bench/server.ts: a server object per request, whose tools answer with 1 KB. The contract and every
// schema are made once, outside the factory, on both sides. Arguments: the variant, and how many tools it has.
// It prints its port; /usage tells its processor time and memory.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { loadServer } from "./built.ts";
import { recordSchema } from "./record-schema.ts";
import { recordsOfSize } from "./records.ts";

const [variant = "plain", tools = "1"] = process.argv.slice(2);
const payload = { records: recordsOfSize(1_000) };
const names = Array.from({ length: Number(tools) }, (_, index) => `records_${index + 1}`);
const config = { description: "Records", outputSchema: recordSchema };
const info = { name: "records", version: "1.0.0" };

function buildPlain(): McpServer {
  const mcp = new McpServer(info);
  for (const name of names) {
    mcp.registerTool(name, config, () => ({
      content: [{ type: "text", text: JSON.stringify(payload) }],
      structuredContent: payload,
    }));
  }
  return mcp;
}

async function waybillFactory(): Promise<() => McpServer> {
  const { createContract } = await loadServer();
  const contract = createContract({ name: "records" });
  return () => {
    const mcp = new McpServer(info);
    const server = contract.server(mcp);
    for (const name of names) server.registerTool(name, config, () => payload as never);
    return mcp;
  };
}

const build = variant === "waybill" ? await waybillFactory() : buildPlain;
const handle = toNodeHandler(createMcpHandler(build));

const http = createServer((request, response) => {
  if (request.url === "/usage") {
    const { user, system } = process.cpuUsage();
    const usage = { cpuUs: user + system, rssMb: process.memoryUsage.rss() / 1024 ** 2 };
    response.setHeader("content-type", "application/json").end(JSON.stringify(usage));
    return;
  }
  const { method = "GET", url = "/" } = request;
  void handle(Object.assign(request, { method, url }), response);
});
http.listen(0, "127.0.0.1", () => console.log((http.address() as AddressInfo).port));
