// Deploys the app on a free port, calls it as two members, and checks what comes back: exit code 1 on a difference.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { contractClient, hasCode } from "waybill/client";
import { Claims } from "../agent-loop/claims.ts";
import { parcels } from "../parcels/parcels.ts";
import { serveApp } from "./serve.ts";

const running = await serveApp({ "token-of-ada": "ada", "token-of-bo": "bo" });

async function signIn(token: string): Promise<Client> {
  const client = new Client({ name: "hono-example", version: "1.0.0" });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url), { requestInit: { headers } }));
  return client;
}

const claims = new Claims();
const clients: Client[] = [];

try {
  claims.chapter("Asks for a token");
  const headers = { "Content-Type": "application/json" };
  const refused = await fetch(running.url, { method: "POST", headers, body: "{}" });
  claims.equal("without one", refused.status, 401);

  claims.chapter("Cuts a list that is too long, and loses nothing");
  const ada = await signIn("token-of-ada");
  clients.push(ada);
  const tools = contractClient(ada);
  const cut = await tools.call("parcel_list");
  claims.equal("fidelity", cut.fidelity, "partial");
  claims.equal("the whole, verified", (await tools.complete(cut)).data, { parcels });

  claims.chapter("Keeps what was cut for whom it was cut");
  const bo = await signIn("token-of-bo");
  clients.push(bo);
  const [archive = ""] = Object.values(cut.archives);
  const stranger = await contractClient(bo).tryCall("waybill_retrieve", { archive, limit: 1 });
  claims.equal("another member", stranger.ok ? "reads it" : stranger.error.code, "NOT_FOUND");
  const owner = await tools.tryCall("waybill_retrieve", { archive, limit: 1 });
  claims.equal("the member who called", owner.ok ? "reads it" : owner.error.code, "reads it");

  claims.chapter("Fails with a code");
  const missed = await tools.tryCall("parcel_get", { parcel_id: "P-4110" });
  const error = missed.ok ? undefined : missed.error;
  claims.equal("no such parcel", hasCode(error, "NOT_FOUND") && error.message, "Parcel not found: P-4110");
} catch (error) {
  claims.equal("nothing is thrown", String(error), "");
} finally {
  for (const client of clients) await client.close();
  await running.close();
}

claims.close();
