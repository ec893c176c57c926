// The record server of bench/server.ts over stdio; the argument names its variant.
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { buildRecordServer } from "./build-record-server.ts";

const variant = process.argv[2] === "waybill" ? "waybill" : "plain";
const server = await buildRecordServer(variant);
await server.connect(new StdioServerTransport());
