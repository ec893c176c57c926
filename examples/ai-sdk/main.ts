// An agent of the Vercel AI SDK and a server under the contract. It checks itself: exit code 1 if anything is not as it should be.

import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ToolLoopAgent, stepCountIs } from "ai";
import { contractClient } from "waybill/client";
import { Claims } from "../agent-loop/claims.ts";
import { parcels } from "../parcels/parcels.ts";
import { errand, expectedAnswer, expectedCalls } from "../stub-model/errand.ts";
import { parcelClerk } from "../stub-model/parcel-clerk.ts";
import { startModel } from "../stub-model/start-model.ts";
import { toolsOf } from "./tools-of.ts";

const { PATH = "", HOME = "", PARCELS_BUDGET = "1000", TSX_TSCONFIG_PATH = "" } = process.env;
const root = fileURLToPath(new URL("../../", import.meta.url));
const client = new Client({ name: "ai-sdk-example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "examples/parcels/server.ts"],
    cwd: root,
    env: { PATH, HOME, PARCELS_BUDGET, ...(TSX_TSCONFIG_PATH === "" ? {} : { TSX_TSCONFIG_PATH }) },
  }),
);
const model = await startModel(parcelClerk);
const claims = new Claims();

try {
  // With a real model this line is all that changes.
  const provider = createOpenAICompatible({ name: "stub", baseURL: model.url });
  const agent = new ToolLoopAgent({
    model: provider.chatModel("parcel-clerk"),
    tools: await toolsOf(client),
    stopWhen: stepCountIs(10),
  });

  claims.chapter("The agent runs its errand");
  const { text, steps } = await agent.generate({ prompt: errand });
  const calls = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName));
  claims.equal("it calls", calls, expectedCalls);
  claims.equal("it answers", text, expectedAnswer);
  const allChars = JSON.stringify({ parcels }).length;
  const mostChars = Math.max(...model.turns.map(({ chars }) => chars));
  claims.equal("the model never read as much as the list alone has", mostChars < allChars, true);

  claims.chapter("The program looks at the same call");
  const tools = contractClient(client);
  const cut = await tools.call("parcel_list");
  claims.equal("what the model got", cut.fidelity, "partial");
  // `complete` compares the whole with the hash that the cut announced, and throws if they differ.
  const whole = await tools.complete(cut);
  claims.equal("the whole, verified", whole.data, { parcels });
} catch (error) {
  claims.equal("nothing is thrown", String(error), "");
} finally {
  await model.close();
  await client.close();
}

claims.close();
