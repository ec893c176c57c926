import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Recording, type Verdict, judge, record, verdicts } from "./gateway-fidelity.fixture.ts";
import { LineClient } from "./gateway-recorder.fixture.ts";
import { type PublishedServer, gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

async function recordOf(
  server: PublishedServer,
  isThrough: boolean,
  { onTestFinished }: TestContext,
): Promise<Recording> {
  const folder = makeFolder(onTestFinished);
  const node = server.nodeArgs(folder);
  const args = isThrough ? gatewayArgs(["--store", "memory"], [process.execPath, ...node]) : node;
  const client = new LineClient({ command: process.execPath, args, env: server.env?.(folder) ?? {} });
  onTestFinished(() => client.close());
  const { exchanges, told } = await record(client, server, folder);
  const hidden = (text: string): string => text.replaceAll(folder, "/folder");
  return {
    exchanges: exchanges.map((one) => ({
      ...one,
      of: hidden(one.of),
      heard: { message: JSON.parse(hidden(one.heard.raw)), raw: hidden(one.heard.raw) },
    })),
    told: told.map(hidden).toSorted(),
  };
}

interface Row {
  readonly server: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The methods of what the server said or asked by itself. */
  readonly told: readonly string[];
}

/** What the server that has everything says and asks of its client. */
const everything = [
  "elicitation/create",
  "notifications/message",
  "notifications/progress",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/tasks/status",
  "notifications/tools/list_changed",
  "roots/list",
  "sampling/createMessage",
];

const rows = new Map<string, Row>();

describe("a server behind the gateway", () => {
  // Side by side, since most of the time is waiting: for what servers say by the clock.
  it.runIf(isFullRun).concurrent.for(published)(
    "says what it says directly, but for tool results, tools/list, the resources capability and templates: $server",
    async (server, test) => {
      const [direct, through] = await Promise.all([
        recordOf(server, false, test),
        recordOf(server, true, test),
      ]);
      expect(through.exchanges.map(({ method, of }) => `${method} ${of}`)).toEqual(
        direct.exchanges.map(({ method, of }) => `${method} ${of}`),
      );
      expect(through.told).toEqual(direct.told);
      const counts = { "same bytes": 0, "as allowed": 0, "made whole": 0, rewritten: 0, different: 0 };
      const different: unknown[] = [];
      for (const [at, exchange] of direct.exchanges.entries()) {
        const other = through.exchanges[at] ?? exchange;
        const verdict = judge(exchange, other);
        counts[verdict] += 1;
        if (verdict === "different")
          different.push({
            method: exchange.method,
            of: exchange.of,
            direct: exchange.heard.raw,
            through: other.heard.raw,
          });
      }
      expect(different).toEqual([]);
      const told = [...new Set(direct.told.map((one) => one.split(" ")[0] ?? ""))].toSorted();
      expect(told).toEqual(server.server === "server-everything" ? everything : told);
      rows.set(server.server, { server: server.server, counts, told });
    },
  );

  it.runIf(isFullRun)("is as the table of docs/gateway.md says", () => {
    const head = [
      "server",
      "same bytes",
      "as allowed",
      "made whole",
      "rewritten",
      "different",
      "said and asked by the server",
    ];
    const lines = [
      head,
      head.map(() => "---"),
      ...published
        .flatMap(({ server: name }) => rows.get(name) ?? [])
        .map(({ server, counts, told }) => [
          server,
          ...verdicts.map((one) => counts[one]),
          told.map((one) => `\`${one}\``).join(", "),
        ]),
    ];
    const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    const path = new URL("../../docs/gateway.md", import.meta.url);
    const page = readFileSync(path, "utf8");
    expect(page).toContain("<!-- fidelity:begin -->");
    const marked = /<!-- fidelity:begin -->\n[^]*<!-- fidelity:end -->/;
    const written = page.replace(marked, `<!-- fidelity:begin -->\n${table}\n<!-- fidelity:end -->`);
    if (process.env["WAYBILL_WRITE_DOCS"] === "1") writeFileSync(path, written);
    expect(readFileSync(path, "utf8")).toBe(written);
  });
});
