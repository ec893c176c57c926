// Real servers from npm behind the gateway, once for each reader: what leaves as the server's own bytes, and what becomes
// of the rest; and three long results, with the call that each notice proposes. It judges and counts; it takes no times.
//   --only results,cuts    one of the two; default: both
//   --readers codex,cline  some of the readers; --servers mcp-json,server-pdf  some of the servers
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { programReader, readers, unknownReader } from "../src/core/readers/readers.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { type Asked, type AskedFor, askReader } from "./harness/servers/ask-readers.ts";
import { fetchServers } from "./harness/servers/fetched.ts";
import { followCuts } from "./harness/servers/follow-cuts.ts";
import { type RealServer, realServers } from "./harness/servers/real-servers.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const { only, ...some } = parseArgs({
  options: { only: { type: "string" }, readers: { type: "string" }, servers: { type: "string" } },
}).values;
const isAsked = (list: string | undefined, name: string): boolean =>
  list === undefined || list.split(",").includes(name);
const { count: countTokens } = await loadBenchCounter("waybill");

const asking: readonly AskedFor[] = [
  ...[...readers, unknownReader, programReader].map((reader) => ({
    id: reader.id,
    reader,
    words: ["--reader", reader.id],
  })),
  { id: "no setting", reader: unknownReader, words: [] },
].filter(({ id }) => isAsked(some.readers, id));

/** Two at a time: most of it is starting processes. */
async function askAll(servers: readonly RealServer[]): Promise<readonly Asked[]> {
  const jobs = servers.flatMap((server) => asking.map((asked) => ({ server, asked })));
  const found: (readonly Asked[])[] = jobs.map(() => []);
  const left = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, { server, asked }] = next;
      found[at] = await askReader(server, asked, countTokens);
    }
  };
  await Promise.all([work(), work()]);
  return found.flat();
}

function countOf(list: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** Readers with the same figures share a row. */
function rowsOf(asked: readonly Asked[], nameOf: (one: Asked) => string): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly names: string[]; readonly cells: readonly string[] }>();
  for (const name of new Set(asked.map(nameOf))) {
    const own = asked.filter((one) => nameOf(one) === name);
    const ofKind = (kind: string): string => `${own.filter(({ changes }) => changes.includes(kind)).length}`;
    const whole = own.filter(({ before }) => before === "everything");
    const cells = [
      `${own.length}`,
      `${own.filter(({ isSame }) => isSame).length}`,
      `${whole.filter(({ isSame }) => isSame).length} of ${whole.length}`,
      ...common.map(ofKind),
      countOf(own.flatMap(({ changes }) => changes.filter((kind) => !common.includes(kind)))),
    ];
    const { names } = rows.get(cells.join()) ?? { names: [] };
    rows.set(cells.join(), { names: [...names, name], cells });
  }
  return [...rows.values()].map(({ names, cells }) => [names.join(", "), ...cells]);
}

/** What is the same for every reader has columns of its own. */
const common: readonly string[] = ["failure", "a warning", "cut"];
const head = ["results", "own bytes", "had everything", "failures", "warned", "cut", "mended"];
const figures: { results?: readonly Asked[]; cuts?: unknown } = {};
if (isAsked(only, "results")) {
  const problem = await fetchServers();
  if (problem !== undefined) console.log(`Servers that are no dependency of ours are left out: ${problem}\n`);
  const { folder, servers } = await realServers();
  try {
    const there = servers.filter(
      ({ name, isFetched }) => isAsked(some.servers, name) && !(isFetched === true && problem !== undefined),
    );
    const asked = await askAll(there);
    printTable(
      ["reader", ...head],
      rowsOf(asked, ({ reader }) => reader),
    );
    console.log("");
    printTable(
      ["server", ...head],
      rowsOf(asked, ({ server }) => server),
    );
    const broken = asked.filter(({ lines }) => lines !== undefined);
    for (const { reader, server, tool, changes } of broken)
      console.log(`Not as promised: ${server} ${tool} for ${reader}: ${changes.join(", ")}`);
    figures.results = asked;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log("");
}
if (isAsked(only, "cuts")) {
  const cuts = await followCuts(countTokens);
  printTable(
    ["call", "reader", "blocks", "texts", "structure", "notice", "the proposed call gives"],
    cuts.map(({ call, reader, blocks, texts, structure, notice, follows }) => [
      call,
      reader,
      blocks,
      texts,
      structure,
      notice,
      follows,
    ]),
  );
  figures.cuts = cuts;
}
writeResults("servers", figures);
