// The smallest server under the contract: every runtime speaks with it on standard input and output.
import { defineTool, serve } from "waybill/server";
import * as z from "zod";

const hello = defineTool("hello", { description: "Greets", inputSchema: z.object({}) }, () => ({
  said: "hi",
}));
await serve({ name: "hello", version: "1.0.0", tools: [hello], config: false, logLevel: "silent" });
