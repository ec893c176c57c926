// What `ctx.page` costs beside a tool that returns the same items as they are: processor and wall time of one call, over
// stdio and in memory. The first page writes a cursor; a later page reads one and writes one.
//   ROUNDS=15                             in the environment
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { buildPageServer, pageSizes } from "./harness/build-page-server.ts";
import { type Comparison, type Side, compareSides, judgeAim, showSpread } from "./harness/compare-sides.ts";
import { printTable, writeResults } from "./harness/report.ts";

const program = fileURLToPath(new URL("./harness/page-server.ts", import.meta.url));
const rounds = Number(process.env["ROUNDS"] ?? 15);
const callsFor = { kb1: 300, kb10: 200, kb30: 100 } as const;
/** At most these times the plain list, over stdio: the first page of 1 KB. */
const aims = { withClient: 1.3, alone: 1.35 } as const;
const transports = ["stdio", "memory"] as const;
type TransportName = (typeof transports)[number];
type Size = keyof typeof pageSizes;

interface Row extends Comparison {
  readonly transport: TransportName;
  readonly size: Size;
  readonly page: "first" | "later";
}

const isAimedAt = ({ transport, size, page }: Row): boolean =>
  transport === "stdio" && size === "kb1" && page === "first";

async function connect(transport: TransportName): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  if (transport === "stdio") {
    const args = ["--import", "tsx", program];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = await buildPageServer();
    await Promise.all([server.connect(far), client.connect(near)]);
  }
  await client.listTools();
  return client;
}

function sideOf(client: Client, transport: TransportName, name: string, args: Record<string, string>): Side {
  return {
    call: async () => {
      const { isError } = await client.callTool({ name, arguments: args });
      if (isError === true) throw new Error(`${name} failed.`);
    },
    serverCpuUs: async () => {
      if (transport === "memory") return undefined;
      const { content } = await client.callTool({ name: "cpu", arguments: {} });
      const [block] = content as { text: string }[];
      return Number(block?.text);
    },
  };
}

async function cursorOf(client: Client, name: string): Promise<string> {
  const { structuredContent } = await client.callTool({ name, arguments: { status: "open" } });
  const { meta } = structuredContent as { meta: { pagination: { cursor: string } } };
  return meta.pagination.cursor;
}

async function compareTransport(transport: TransportName): Promise<Row[]> {
  const client = await connect(transport);
  const rows: Row[] = [];
  for (const size of Object.keys(pageSizes) as Size[]) {
    const plain = sideOf(client, transport, `plain_${size}`, { status: "open" });
    const cursor = await cursorOf(client, `page_${size}`);
    const asked = { first: { status: "open" }, later: { status: "open", cursor } };
    for (const page of ["first", "later"] as const) {
      const waybill = sideOf(client, transport, `page_${size}`, asked[page]);
      const compared = await compareSides({ plain, waybill }, callsFor[size], rounds);
      rows.push({ transport, size, page, ...compared });
    }
  }
  await client.close();
  return rows;
}

const rows: Row[] = [];
for (const transport of transports) rows.push(...(await compareTransport(transport)));
printTable(
  [
    "transport",
    "result",
    "page",
    "plain CPU µs",
    "page CPU µs",
    "CPU ratio (p10-p90)",
    "aim",
    "server alone",
    "aim",
    "wall ratio",
  ],
  rows.map((row) => [
    row.transport,
    row.size,
    row.page,
    row.plainCpuUs.toFixed(0),
    row.waybillCpuUs.toFixed(0),
    showSpread(row.cpu),
    judgeAim(row.cpu, isAimedAt(row) ? aims.withClient : undefined),
    row.serverCpu === undefined ? "" : showSpread(row.serverCpu),
    judgeAim(row.serverCpu, isAimedAt(row) ? aims.alone : undefined),
    showSpread(row.wall),
  ]),
);
writeResults("page", { rounds, rows });
