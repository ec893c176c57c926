// Calls the FastMCP server and checks what comes back: exit code 1 if anything is not as it should be.

import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { contractClient, hasCode } from "waybill/client";
import { Claims } from "../agent-loop/claims.ts";
import { parcels } from "../parcels/parcels.ts";

const { PATH = "", HOME = "", TSX_TSCONFIG_PATH = "" } = process.env;
const client = new Client({ name: "fastmcp-example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "examples/fastmcp/server.ts"],
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    env: { PATH, HOME, ...(TSX_TSCONFIG_PATH === "" ? {} : { TSX_TSCONFIG_PATH }) },
  }),
);
const tools = contractClient(client);
const claims = new Claims();

try {
  claims.chapter("Has the tools of its author, and one more");
  const { tools: listed } = await client.listTools();
  claims.equal(
    "tools",
    listed.map(({ name }) => name),
    ["parcel_list", "parcel_get", "waybill_retrieve"],
  );

  claims.chapter("Answers under the contract");
  const one = await tools.call("parcel_get", { parcel_id: "P-0411" });
  claims.equal("one parcel", [one.dialect, one.data], ["response-v2", { parcel: parcels[410] }]);

  claims.chapter("Cuts a list that is too long, and loses nothing");
  const cut = await tools.call("parcel_list");
  claims.equal("fidelity", cut.fidelity, "partial");
  claims.equal("the whole, verified", (await tools.complete(cut)).data, { parcels });

  claims.chapter("Fails with a code");
  const missed = await tools.tryCall("parcel_get", { parcel_id: "P-4110" });
  const error = missed.ok ? undefined : missed.error;
  claims.equal("no such parcel", hasCode(error, "NOT_FOUND") && error.message, "Parcel not found: P-4110");
  const wrong = await tools.tryCall("parcel_get", { parcel: "P-0411" });
  claims.equal("a wrong argument", wrong.ok ? undefined : wrong.error.code, "VALIDATION_ERROR");
} catch (error) {
  claims.equal("nothing is thrown", String(error), "");
} finally {
  await client.close();
}

claims.close();
