// One program for every runtime, unchanged: what each entry does there. It prints one JSON object, a line for each feature.

import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import {
  decodeCursor,
  encodeCursor,
  errorResponse,
  faults,
  successResponse,
  translate,
  validateResponse,
} from "waybill";
import { contractClient, hasCode } from "waybill/client";
import { digestDocument, verifyDigest } from "waybill/digest";
import { createContract, defineTool, fileStore, loadCounter, serve } from "waybill/server";
import { serveFetch } from "waybill/web";
import * as z from "zod";

const info = { name: "runtimes", version: "1.0.0" };
const rows = Array.from({ length: 500 }, (_, id) => ({
  id: `r-${id}`,
  kind: id % 5 === 0 ? "late" : "fine",
}));
const inputSchema = z.object({});
const annotations = { readOnlyHint: true };
const list = defineTool("list", { description: "All rows", inputSchema, annotations }, () => ({ rows }));
const lose = defineTool("lose", { description: "Finds nothing", inputSchema, annotations }, () => {
  throw faults.notFound("row", "r-900");
});
const scope = defineTool(
  "scope",
  { description: "Builds a response behind an await", inputSchema, annotations },
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { built: successResponse({}).meta.request_id };
  },
);
const tools = [list, lose, scope];
const options = { ...info, tools, budget: { tokens: 600 }, logLevel: "silent" };

/** A client of the SDK and a server under the contract, in one process. */
async function connected(more = {}) {
  const contract = createContract({ ...options, ...more });
  const server = contract.server(new McpServer(info));
  const client = new Client({ name: "story", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return { client, tools: contractClient(client), close: () => client.close().then(() => contract.close()) };
}

async function withTools(use, more) {
  const { close, ...parts } = await connected(more);
  try {
    return await use(parts);
  } finally {
    await close();
  }
}

const page =
  "<title>Rivers</title>" +
  Array.from(
    { length: 30 },
    (_, i) => `<p>River ${i} is ${i + 100} km long and was measured twice.</p>`,
  ).join("");
const prose =
  "The mill was built in 1871 by two brothers. It burnt down in 1904 and was never opened again. ".repeat(30);

async function digestOf(text) {
  const query = text === page ? "How long is river 12?" : "When did the mill burn down?";
  const { document, payload } = await digestDocument(new TextEncoder().encode(text), { query });
  const { valid } = await verifyDigest(payload, document ?? "");
  const wanted = text === page ? "112 km" : "1904";
  return valid && payload.evidence_snippets[0].text.includes(wanted);
}

const features = {
  "envelopes: build, validate, translate": () => {
    const response = successResponse({ tasks: [{ id: "t-1" }] }, { requestId: "req_1" });
    const scalpel = translate(response, { from: "response-v2", to: "scalpel", profile: "minimal" });
    const failure = errorResponse("Spec not found: x", { errorCode: "SPEC_NOT_FOUND" });
    return validateResponse(response).valid && scalpel.data.tasks[0].id === "t-1" && !failure.success;
  },
  "signed cursors": async () => {
    const signed = { keys: "0123456789abcdef0123456789abcdef", tool: "list" };
    const cursor = await encodeCursor({ after: "r-5" }, signed);
    return (await decodeCursor(cursor, signed)).after === "r-5";
  },
  "a client reads a failure by its code": () =>
    withTools(async ({ tools: read }) => {
      const lost = await read.tryCall("lose");
      return !lost.ok && hasCode(lost.error, "NOT_FOUND") && lost.error.retryRule === "never";
    }),
  "a result is cut, and comes back whole and verified": () =>
    withTools(async ({ tools: read }) => {
      const cut = await read.call("list");
      const { data } = await read.complete(cut);
      return cut.fidelity !== "full" && JSON.stringify(data.rows) === JSON.stringify(rows);
    }),
  "one record comes back by its id": () =>
    withTools(async ({ tools: read }) => {
      const [found] = await read.retrieve(await read.call("list"), ["r-411"]);
      return found.value.id === "r-411";
    }),
  "a question is answered over the whole": () =>
    withTools(async ({ client, tools: read }) => {
      const [hash] = Object.values((await read.call("list")).archives);
      const args = { archive: hash, select: "count_by(rows, &kind)" };
      const { content } = await client.callTool({ name: "waybill_retrieve", arguments: args });
      const { data, error } = JSON.parse(content[0].text);
      if (error !== null) throw new Error(error);
      return data.selected.late === 100 && data.selected.fine === 400;
    }),
  "tokens are counted exactly": async () =>
    (await loadCounter("o200k_base")).count("The valve was opened.") === 5,
  "a response that a tool builds behind an `await` joins its call": () =>
    withTools(async ({ tools: read }) => {
      // Calls are followed through waits from the first on that starts after such a response was built.
      await read.call("scope");
      const { data } = await read.call("scope", {}, { requestId: "req_story" });
      return data.built === "req_story" ? true : "it gets a request id of its own";
    }),
  "archives are kept in files": () =>
    withTools(
      async ({ tools: read }) => {
        const cut = await read.call("list");
        return (await read.complete(cut)).data.rows.length === 500;
      },
      { store: fileStore("./story-archive") },
    ),
  "`serveFetch` answers a request": async () => {
    const server = serveFetch(options);
    const client = new Client({ name: "story", version: "1.0.0" });
    const fetch = (url, init) => server(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://story.invalid/mcp"), { fetch }));
    const { fidelity } = await contractClient(client).call("list");
    await client.close();
    await server.close();
    return fidelity !== "full";
  },
  "`serve` listens over HTTP": async () => {
    const { url, close } = await serve({ ...options, http: { port: 0 }, config: false });
    const client = new Client({ name: "story", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { fidelity } = await contractClient(client).call("list");
    await client.close();
    await close();
    return fidelity !== "full";
  },
  "a text becomes a digest, verified": () => digestOf(prose),
  "a page of HTML becomes a digest, verified": () => digestOf(page),
};

/** What works, by feature: true, or the sentence that says why not. */
export async function tellStory() {
  const told = {};
  for (const [feature, run] of Object.entries(features)) {
    try {
      const answer = await run();
      told[feature] = answer === false ? "a wrong answer" : answer;
    } catch (error) {
      told[feature] = error instanceof Error ? error.message : String(error);
    }
  }
  return told;
}
