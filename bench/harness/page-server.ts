// The server of bench/page.ts over stdio.
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { buildPageServer } from "./build-page-server.ts";

const server = await buildPageServer();
await server.connect(new StdioServerTransport());
