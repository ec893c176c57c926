// Loaded before a published server, which knows nothing of it: every McpServer of that server's SDK is put under a
// contract when it connects. `WAYBILL_DIALECT` is set by the one who starts it.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { attachContract } from "../../src/doors/server/attach-contract.ts";

interface Connecting {
  connect: (this: Connecting, transport: unknown) => Promise<void>;
}

// The servers are modules, so theirs is the SDK's module form; `resolve` finds the other one beside it.
const found = createRequire(process.argv[1] ?? "").resolve("@modelcontextprotocol/sdk/server/mcp.js");
const sdk = (await import(pathToFileURL(found.replace("/cjs/", "/esm/")).href)) as {
  readonly McpServer: { readonly prototype: Connecting };
};
const { connect } = sdk.McpServer.prototype;
sdk.McpServer.prototype.connect = function attachAndConnect(this: Connecting, transport) {
  attachContract(this, { name: "published", logLevel: "silent", dialect: "response-v2" });
  return connect.call(this, transport);
};
