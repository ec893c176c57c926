// Questions with every SDK client that a server meets: with the call, and afterwards to what was cut. The clients list
// the tools first, so each result is held against its output schema by the client itself.

import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import type { Answer } from "../../src/doors/client/answer.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { counter } from "../../src/core/pipeline/fit/fit-bench.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { ownServer, seen, statuses, tasks } from "./ask-server.fixture.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { gatewayArgs } from "./published-servers.fixture.ts";

const kinds = [
  { kind: "2.4.0", era: "modern" },
  { kind: "2.4.0", era: "legacy" },
  { kind: "1.32.2", era: "legacy" },
  { kind: "1.25.3", era: "legacy" },
  { kind: "1.18.2", era: "legacy" },
] as const;
type Kind = (typeof kinds)[number];

const stdioEntry = fileURLToPath(new URL("ask-stdio.fixture.ts", import.meta.url));

/** What the questions must give, computed apart from them. */
const byStatus = Object.fromEntries(
  statuses.map((status) => [status, tasks.filter((task) => task.status === status).length]),
);
const stuckIds = tasks.filter(({ status, hours }) => status === "stuck" && hours > 38).map(({ id }) => id);
const keyTask = tasks.filter(({ title }) => title.includes("signing"));

async function toOwn({ kind, era }: Kind): Promise<AnyClient> {
  const [near, far] = memoryPair();
  const server = ownServer();
  if (era === "modern") serveStdio(() => server, { transport: far as never });
  else await server.connect(far as never);
  return connectClient(kind, near, era);
}

async function toGateway({ kind, era }: Kind): Promise<AnyClient> {
  const command = [process.execPath, "--import", "tsx", stdioEntry];
  const args = [...gatewayArgs(["--store", "memory", "--select"], command)];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
  return connectClient(kind, transport, era);
}

const doors = { "an own server": toOwn, "the gateway": toGateway } as const;

const journeys = (Object.keys(doors) as (keyof typeof doors)[]).flatMap((door) =>
  kinds.map((client) => ({ door, client, name: `${client.kind}, ${client.era}` })),
);
// A gateway is two processes: those journeys are for the full run, and the first and the last client for the quick one.
const quick = journeys.filter(
  ({ door, name }) => door === "an own server" && (name === "2.4.0, modern" || name === "1.18.2, legacy"),
);

/** What the handlers were given, where they run in this process: no question. */
const seenBehind = { "an own server": [{}, { project: "x" }, {}], "the gateway": [] } as const;

/** What a model may be shown of a result: its texts. */
function textOf({ content }: JsonObject): string {
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("\n");
}

/** Reads results as our client does, whatever SDK brings them. */
function readerOf(client: AnyClient) {
  const last: { result: JsonObject } = { result: {} };
  const tools = contractClient(async ({ name, arguments: args, _meta: meta }) => {
    last.result = await client.call(name, args, meta === undefined ? {} : { meta });
    return last.result;
  });
  return { tools, last };
}

/** The arguments that the cut's own warning shows for a question. */
function shownQuestion({ warnings }: Answer<unknown>): { readonly archive: string; readonly select: string } {
  const [retrieve] = warnings.flatMap(({ context }) => context?.["retrieve"] ?? []);
  return (retrieve as { readonly or: { readonly archive: string; readonly select: string } }).or;
}

describe("a question", () => {
  it.each(isFullRun ? journeys : quick)(
    "is put with a call and after a cut, to $door, by the client $name",
    async ({ door, client: kind }) => {
      const client = await doors[door](kind);
      onTestFinished(() => client.close());
      const listed = await client.listTools();
      expect(listed.map(({ name }) => name)).toEqual(["tasks", "list", "waybill_retrieve"]);
      const { tools, last } = readerOf(client);
      seen.length = 0;

      // Before the cut, under an output schema: the answer is in it, and is all that the model reads.
      const counted = await tools.call("tasks", { _waybill_select: "count_by(tasks, &status)" });
      expect([counted.data, counted.fidelity]).toEqual([{ selected: byStatus }, "full"]);
      expect(counter.count(textOf(last.result))).toBeLessThan(120);
      const ids = await tools.call("tasks", {
        _waybill_select: "tasks[?status=='stuck' && hours > `38`].id",
        project: "x",
      });
      expect(ids.data).toEqual({ selected: stuckIds });
      // Without one, the answer is the data.
      const found = await tools.call("list", { _waybill_select: "[?contains(title, 'signing')]" });
      expect(listIn(found)).toEqual(keyTask);
      expect(seen).toEqual(seenBehind[door]);

      // After the cut, by the tool, with the question that the warning shows, and by our client.
      for (const [name, list] of [
        ["tasks", "tasks"],
        ["list", "@"],
      ] as const) {
        const cut = await tools.call(name);
        expect(cut.fidelity).toBe("partial");
        const [hash] = Object.values(cut.archives);
        const example = shownQuestion(cut);
        expect(hash).toContain(`sha256:${example.archive}`);
        const shown = await tools.call("waybill_retrieve", { ...example });
        expect(shown.data).toMatchObject({ archive: hash, verified: true, records: tasks.length });
        const asked = await tools.call("waybill_retrieve", {
          archive: hash ?? "",
          select: `count_by(${list}, &status)`,
        });
        expect(asked.data).toEqual({
          archive: hash,
          verified: true,
          selected: byStatus,
          records: tasks.length,
        });
        expect(await tools.ask(cut, `count_by(${list}, &status)`)).toEqual({
          data: byStatus,
          count: tasks.length,
          hash,
        });
        // An answer over the budget comes in pages.
        const { data } = await tools.ask(cut, `${list}[].{id: id, title: title}`);
        expect(data).toEqual(tasks.map(({ id, title }) => ({ id, title })));
      }
      await expect(
        client.call("waybill_retrieve", { archive: "00000000", selekt: "@" }),
      ).resolves.toMatchObject({
        isError: true,
      });
    },
  );
});

/** A list is data only under a key. */
function listIn({ data }: Answer<unknown>): unknown {
  return Array.isArray(data) ? data : (data as { readonly result?: unknown }).result;
}
