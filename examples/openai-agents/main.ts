// An agent of the OpenAI Agents SDK and a server that knows nothing of the contract, with the gateway between them.
// It checks itself: exit code 1 if anything is not as it should be.

import { fileURLToPath } from "node:url";
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import { createGateway } from "waybill/gateway";
import { Claims } from "../agent-loop/claims.ts";
import { parcels } from "../parcels/parcels.ts";
import { errand, expectedAnswer, expectedCalls } from "../stub-model/errand.ts";
import { parcelClerk } from "../stub-model/parcel-clerk.ts";
import { startModel } from "../stub-model/start-model.ts";

const plainServer = fileURLToPath(new URL("../parcels/plain-server.ts", import.meta.url));
const gateway = createGateway({
  upstreams: {
    parcels: {
      command: process.execPath,
      args: ["--import", "tsx", plainServer],
      // Small, so that the list of 600 does not fit.
      budget: { tokens: Number(process.env["PARCELS_BUDGET"] ?? 1_000) },
    },
  },
  http: { port: 0 },
  store: "memory",
  logLevel: "silent",
});
const { urls } = await gateway.listen();
const server = new MCPServerStreamableHttp({ url: urls["parcels"] ?? "", name: "parcels" });
const model = await startModel(parcelClerk);
const claims = new Claims();

try {
  await server.connect();
  const agent = new Agent({ name: "Parcel clerk", model: "parcel-clerk", mcpServers: [server] });
  // With a real model this provider is all that changes. Traces would be sent to OpenAI, so they are off here.
  const modelProvider = new OpenAIProvider({ baseURL: model.url, apiKey: "stub", useResponses: false });
  setTracingDisabled(true);
  const runner = new Runner({ modelProvider });

  claims.chapter("The agent runs its errand");
  const { finalOutput, newItems } = await runner.run(agent, errand, { maxTurns: 10 });
  const calls = newItems.flatMap(({ rawItem }) => (rawItem?.type === "function_call" ? [rawItem.name] : []));
  claims.equal("it calls", calls, expectedCalls);
  claims.equal("it answers", finalOutput, expectedAnswer);
  const allChars = JSON.stringify({ parcels }).length;
  const mostChars = Math.max(...model.turns.map(({ chars }) => chars));
  claims.equal("the model never read as much as the list alone has", mostChars < allChars, true);

  claims.chapter("The gateway kept count");
  const { calls: counted, cuts, retrievals, errorsRepaired } = await gateway.summary();
  claims.equal(
    "calls, cuts, retrievals, failures that got a code",
    [counted, cuts, retrievals, errorsRepaired],
    [5, 1, 2, 1],
  );
} catch (error) {
  claims.equal("nothing is thrown", String(error), "");
} finally {
  await server.close();
  await model.close();
  await gateway.close();
}

claims.close();
