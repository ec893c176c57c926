import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { ContractClient } from "../../src/doors/client/contract-client.ts";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { DoorTable, Doors, dialectCalls, grounds } from "./client-door.fixture.ts";
import { HttpWorkshops, transports } from "./clients/open-workshop.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const report = { action: "report", research_id: "research-001" };
const query = { action: "query", spec_id: "my-feature", page_size: 1 };

async function collect<Item>(walk: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const one of walk) found.push(one);
  return found;
}

async function tasksOf(client: ContractClient): Promise<JsonValue> {
  const { data } = await client.call("task", { action: "list", spec_id: "my-feature" });
  return (data as JsonObject)["tasks"] ?? null;
}

/** Every method, held against what the workshop says without it. */
const methods: Readonly<Record<string, (client: ContractClient) => Promise<void>>> = {
  call: async (client) => {
    const answer = await client.call("spec", { action: "get", spec_id: "my-feature" });
    expect(answer).toMatchObject({ ok: true, fidelity: "full", requestId: expect.stringMatching(/^req_/) });
    const missing = client.call("task", { action: "get", spec_id: "my-feature", task_id: "task-099" });
    await expect(missing).rejects.toMatchObject({
      name: "ResponseError",
      code: "TASK_NOT_FOUND",
      type: "not_found",
      requestId: expect.stringMatching(/^req_/),
    });
  },
  tryCall: async (client) => {
    expect(await client.tryCall("spec", { action: "list" })).toMatchObject({ ok: true });
    expect(await client.tryCall("spec", { action: "export" })).toMatchObject({
      ok: false,
      error: { code: "FEATURE_DISABLED", retryRule: "check_flag" },
    });
  },
  pages: async (client) => {
    const pages = await collect(client.pages("task", query));
    expect(pages.map(({ pagination }) => pagination?.has_more)).toEqual(
      pages.map((_, at) => at < pages.length - 1),
    );
    expect(pages.length).toBe(((await tasksOf(client)) as readonly JsonValue[]).length);
  },
  items: async (client) => {
    expect(await collect(client.items("task", query))).toEqual(await tasksOf(client));
  },
  complete: async (client) => {
    const whole = await client.call("research", report);
    const cut = await client.call("research", report, { budget: 460 });
    expect([whole.fidelity, cut.fidelity]).toEqual(["full", "partial"]);
    const back = await client.complete(cut);
    expect([JSON.stringify(back.data), back.fidelity]).toEqual([JSON.stringify(whole.data), "full"]);
  },
  retrieve: async (client) => {
    const { data } = await client.call("research", report);
    const cut = await client.call("research", report, { budget: 460 });
    const dropped = (await client.retrieve(cut)).map(({ value }) => value);
    const kept = (cut.data as unknown as JsonObject)["findings"] as readonly JsonValue[];
    expect([...kept, ...dropped]).toEqual((data as JsonObject)["findings"]);
  },
  negotiate: async (client) => {
    expect(await client.negotiate()).toMatchObject({ negotiated: { response_version: "response-v2" } });
  },
};

const columns = [...Object.keys(methods), ...dialectCalls.map(({ dialect }) => dialect)];
const table = new DoorTable(columns);
const http = new HttpWorkshops();
const journeys = transports.flatMap((transport) => grounds.map((ground) => ({ transport, ground })));

afterAll(async () => {
  await http.stop();
  // A run of single tests says nothing about the rest.
  if (table.passed < journeys.length * columns.length) return;
  const folder = new URL("../../bench/results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("client-door.md", folder), `# The client door, by client\n\n${table.toMarkdown()}\n`);
  process.stdout.write(`\n${table.toMarkdown()}\n`);
});

describe.each(someOf(journeys, 1))(
  "the client door over $transport, on $ground.name ($ground.kind.era)",
  ({ transport, ground }) => {
    const doors = new Doors(ground, transport, http);
    afterAll(() => doors.close());

    it.each(Object.keys(methods))("does %s", async (name) => {
      const client = await doors.open({ strict: true });
      await methods[name]?.(client);
      table.pass(ground, transport, name);
      expect(columns).toContain(name);
    });

    it.each(dialectCalls)("reads $dialect", async (one) => {
      const client = await doors.open({ ...one.options, retry: false }, one.environment);
      const answer = await client.call(one.tool, one.args);
      expect(answer).toMatchObject({ ok: true, dialect: one.dialect, fidelity: "full" });
      // Scalpel's default profile, minimal, names the id only if the call was given one.
      expect(answer.requestId?.startsWith("req_")).toBe(one.dialect === "scalpel" ? undefined : true);
      const mine = await client.call(one.tool, one.args, { requestId: "req_mine" });
      expect(mine.requestId).toBe("req_mine");
      const { tool, args, says, code } = one.failing;
      const id = one.dialect === "scalpel" ? { requestId: "req_other" } : {};
      await expect(client.call(tool, args, id)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(says),
        requestId: expect.stringMatching(/^req_/),
      });
      table.pass(ground, transport, one.dialect);
    });
  },
);
