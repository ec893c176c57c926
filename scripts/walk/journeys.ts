import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { runCli } from "../../src/cli/run.ts";
import { contractClient } from "../../src/doors/client/index.ts";
import { digestDocument } from "../../src/engine/digest/index.ts";
import { createContract } from "../../src/doors/server/index.ts";
import { walkGateway, walkGatewayOverHttp } from "./gateway-journeys.ts";
import type { JourneyName } from "./show-walk.ts";
import { type PassedFile, traceWarm } from "./trace.ts";

interface Journey {
  readonly says: string;
  readonly walk: () => Promise<PassedFile[]>;
}

const output = z.object({ records: z.array(z.object({ id: z.string(), title: z.string() })) });

interface Records {
  readonly [key: string]: unknown;
  readonly records: readonly { readonly id: string; readonly title: string }[];
}

let made = 0;

/** Records of about 100 bytes of JSON each, never the same twice: an archive stores equal content only once. */
function makeRecords(bytes: number): Records {
  const run = made++;
  const title = "quiet harbour signal winter lantern copper bridge meadow river";
  return {
    records: Array.from({ length: Math.floor(bytes / 100) }, (_, index) => ({
      id: `${run}-${index}`.padEnd(10, "0"),
      title,
    })),
  };
}

async function connected() {
  const given: { records: Records } = { records: { records: [] } };
  const mcp = new McpServer({ name: "walk", version: "1.0.0" });
  const contract = createContract({ name: "walk", logLevel: "silent" });
  contract
    .server(mcp)
    .registerTool(
      "read",
      { description: "Reads records", outputSchema: output, annotations: { readOnlyHint: true } },
      () => given.records,
    );
  const client = new Client({ name: "walker", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcp.connect(far), client.connect(near)]);
  await client.listTools();
  const close = async (): Promise<void> => {
    await client.close();
    await contract.close();
  };
  return { given, client, close };
}

/** A tool call by the SDK's client, so that every file passed is the server's. */
async function walkCall(bytes: number, expected: "whole" | "cut"): Promise<PassedFile[]> {
  const { given, client, close } = await connected();
  const prepare = async (): Promise<void> => {
    given.records = makeRecords(bytes);
  };
  const run = async (): Promise<void> => {
    const { structuredContent } = await client.callTool({ name: "read", arguments: {} });
    const { meta, success } = structuredContent as { success: boolean; meta: Record<string, unknown> };
    const isCut = meta["content_archive_hashes"] !== undefined;
    if (!success || isCut !== (expected === "cut")) throw new Error(`The result is not ${expected}.`);
  };
  try {
    return await traceWarm(prepare, run);
  } finally {
    await close();
  }
}

async function walkComplete(): Promise<PassedFile[]> {
  const { given, client, close } = await connected();
  const reader = contractClient(client);
  const prepare = async () => {
    given.records = makeRecords(50_000);
    return reader.call("read", {});
  };
  const run = async (answer: Awaited<ReturnType<typeof prepare>>): Promise<void> => {
    const { data } = await reader.complete(answer);
    const { length } = (data as unknown as Records).records;
    if (length !== given.records.records.length) throw new Error("The answer is not complete.");
  };
  try {
    return await traceWarm(prepare, run);
  } finally {
    await close();
  }
}

/** A digest pauses when it takes long; the walk must not depend on how busy the machine is. */
async function withStoppedClock<Value>(run: () => Promise<Value>): Promise<Value> {
  Object.defineProperty(performance, "now", { value: () => 0, configurable: true });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(performance, "now");
  }
}

async function walkDigest(): Promise<PassedFile[]> {
  const paragraph = "The harbour opened in 1862. Copper went out by river; lanterns came back in winter. ";
  const prepare = async (): Promise<string> =>
    Array.from({ length: 40 }, (_, index) => `Part ${index + 1}. ${paragraph.repeat(4)}`).join("\n\n");
  return traceWarm(prepare, async (text) => {
    const { skipped } = await withStoppedClock(() =>
      digestDocument(text, { query: "When did the harbour open?" }),
    );
    if (skipped !== undefined) throw new Error(`The text was not digested: ${skipped.message}`);
  });
}

async function walkValidate(): Promise<PassedFile[]> {
  const file = new URL("../../test/fixtures/seeds/000-L010-standard-envelope.json", import.meta.url).pathname;
  return traceWarm(
    async () => undefined,
    async () => {
      const exitCode = await runCli(["node", "waybill", "validate", file], {
        stdin: (async function* () {})(),
        stdout: { write: () => true },
        stderr: { write: () => true },
        env: {},
        cwd: process.cwd(),
        isTTY: { stdin: false, stdout: false, stderr: false },
      });
      if (exitCode !== 0) throw new Error(`waybill validate ended with ${exitCode}.`);
    },
  );
}

export const journeys: Readonly<Record<JourneyName, Journey>> = {
  call: {
    says: "a result of 1 KB that fits, through contract.server",
    walk: () => walkCall(1_000, "whole"),
  },
  cut: {
    says: "a result of 50 KB, cut and archived, through contract.server",
    walk: () => walkCall(50_000, "cut"),
  },
  complete: {
    says: "complete() of the client door on that cut result, both ends",
    walk: walkComplete,
  },
  digest: { says: "digestDocument on a text of 14 KB, with a query", walk: walkDigest },
  validate: { says: "waybill validate with one file", walk: walkValidate },
  gateway: {
    says: "a result of 1 KB that passes the gateway untouched, on stdio in front of a command",
    walk: () => walkGateway(1_000, "untouched"),
  },
  "gateway-http": {
    says: "the same result through the gateway over HTTP, in front of a command",
    walk: () => walkGatewayOverHttp(1_000, "untouched"),
  },
  "gateway-cut": {
    says: "a result of 50 KB that the gateway cuts and archives, on stdio in front of a command",
    walk: () => walkGateway(50_000, "cut"),
  },
};
