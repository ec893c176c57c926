// What each variable of the workshop's README does, seen from a client: a value, and what shows it.
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, vi } from "vitest";
import { createWorkshop, type Workshop } from "../../examples/workshop/server.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";

type Environment = Readonly<Record<string, string>>;

interface Opened {
  readonly call: (name: string, args: JsonObject, meta?: JsonObject) => Promise<JsonObject>;
  readonly workshop: Workshop;
  readonly close: () => Promise<void>;
}

async function open(environment: Environment): Promise<Opened> {
  const workshop = await createWorkshop({
    // Contracts with one name would share their quotas.
    WORKSHOP_NAME: `workshop-${randomUUID()}`,
    WORKSHOP_LOG: "off",
    ...environment,
  });
  const client = await connect(workshop.build());
  return {
    workshop,
    call: (name, args, meta) => client.call(name, args, meta === undefined ? {} : { meta }),
    close: async () => {
      await client.close();
      await workshop.close();
    },
  };
}

async function connect(server: { connect(transport: never): Promise<void> }): Promise<AnyClient> {
  const [near, far] = memoryPair();
  await server.connect(far as never);
  return connectClient("2.4.0", near);
}

async function withWorkshop<Seen>(
  environment: Environment,
  look: (opened: Opened) => Promise<Seen>,
): Promise<Seen> {
  const opened = await open(environment);
  try {
    return await look(opened);
  } finally {
    await opened.close();
  }
}

/** What a client is told in the answer's structure. */
async function told(
  environment: Environment,
  name: string,
  args: JsonObject,
  meta?: JsonObject,
): Promise<unknown> {
  return withWorkshop(environment, async ({ call }) => (await call(name, args, meta))["structuredContent"]);
}

const search = ["research", { action: "search", query: "perpetual motion" }] as const;
const codeOf = (answer: JsonObject): unknown =>
  ((answer["structuredContent"] as JsonObject)["data"] as JsonObject)["error_code"];

/** The code of the last of so many searches, if it was refused. */
async function codeAfter(calls: number, { call }: Pick<Opened, "call">): Promise<unknown> {
  let last: JsonObject = {};
  for (let made = 0; made < calls; made += 1) last = await call(...search);
  return codeOf(last);
}

/** Whether a result that breaks the contract reaches the client. */
async function isBrokenResultSent(environment: Environment): Promise<boolean> {
  return withWorkshop(environment, async ({ workshop }) => {
    const server = workshop.contract.server(new McpServer({ name: "broken", version: "1.0.0" }));
    const meta = { version: "response-v2", pagination: { has_more: "yes" } };
    server.registerTool("broken", { description: "x" }, () => ({
      success: true,
      data: {},
      error: null,
      meta,
    }));
    const client = await connect(server);
    const result = await client.call("broken");
    await client.close();
    return result["isError"] !== true;
  });
}

const page = { action: "query", spec_id: "sign-in", page_size: 2 };

/** A page whose cursor is signed with a random key: that is worth a line of the log. */
async function linesOnStderr(environment: Environment): Promise<number> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await told(environment, "task", page);
    return write.mock.calls.length;
  } finally {
    write.mockRestore();
  }
}

/** What becomes of a cursor that was signed with one secret, where the server has another. */
async function secondPage(first: string, second: string): Promise<unknown> {
  // In one process, contracts of one name have one random key: only secrets tell two servers apart here.
  const name = { WORKSHOP_NAME: `workshop-${randomUUID()}` };
  const answer = await told({ ...name, WAYBILL_SECRET: first }, "task", page);
  const { cursor } = (answer as { meta: { pagination: { cursor: string } } }).meta.pagination;
  return withWorkshop({ ...name, WAYBILL_SECRET: second }, async ({ call }) =>
    codeOf(await call("task", { ...page, cursor })),
  );
}

/** By the words of the README's table; each throws where the variable does not do what the table says. */
export const settings: Readonly<Record<string, () => Promise<void>>> = {
  "SCALPEL_MCP_INFO=DEBUG": async () => {
    const scan = ["security_scan", { path: "/store.py" }] as const;
    expect(Object.keys(Object(await told({}, ...scan)))).toEqual(["data"]);
    expect(Object.keys(Object(await told({ SCALPEL_MCP_INFO: "DEBUG" }, ...scan)))).toHaveLength(9);
  },
  "WORKSHOP_FLAGS=response_contract_v2=off": async () => {
    const query = ["task", { action: "query", spec_id: "my-feature" }] as const;
    expect(await told({}, ...query)).toMatchObject({ success: true });
    const legacy = await withWorkshop({ WORKSHOP_FLAGS: "response_contract_v2=off" }, ({ call }) =>
      call(...query),
    );
    expect(JSON.stringify(legacy)).toContain("Implement login");
    expect(JSON.stringify(legacy)).not.toContain("response-v2");
    const exported = ["spec", { action: "export" }] as const;
    expect(await told({}, ...exported)).toMatchObject({ data: { error_code: "FEATURE_DISABLED" } });
    expect(await told({ WORKSHOP_FLAGS: "batch_export=on" }, ...exported)).toMatchObject({ success: true });
  },
  "WORKSHOP_NAME=second": async () => {
    const limit = { WORKSHOP_RATE_LIMIT: "1/60" };
    await withWorkshop({ ...limit, WORKSHOP_NAME: "second" }, async (first) => {
      expect(await codeAfter(1, first)).toBeUndefined();
      const again = await withWorkshop({ ...limit, WORKSHOP_NAME: "second" }, (same) => codeAfter(1, same));
      expect(again).toBe("RATE_LIMIT_EXCEEDED");
      expect(await withWorkshop(limit, (other) => codeAfter(1, other))).toBeUndefined();
    });
  },
  "WORKSHOP_TIER=pro": async () => {
    const deep = ["security_scan", { path: "/runner.py", depth: "deep" }] as const;
    expect(await told({}, ...deep)).toMatchObject({ error: { error_code: "upgrade_required" } });
    expect(await told({ WORKSHOP_TIER: "pro" }, ...deep)).toHaveProperty("data");
  },
  "WORKSHOP_DRAFT_NOTES=data": async () => {
    const check = ["task", { action: "check", spec_id: "handover", task_id: "task-002" }] as const;
    const draft = { "waybill/contract": { dialect: "response-v2-draft" } };
    expect(await told({}, ...check, draft)).not.toHaveProperty("data._warnings");
    expect(await told({ WORKSHOP_DRAFT_NOTES: "data" }, ...check, draft)).toHaveProperty("data._warnings");
  },
  "WORKSHOP_VALIDATE=always": async () => {
    expect(await isBrokenResultSent({})).toBe(true);
    expect(await isBrokenResultSent({ WORKSHOP_VALIDATE: "always" })).toBe(false);
  },
  "WORKSHOP_RATE_LIMIT=6/2": async () => {
    expect(await withWorkshop({}, (opened) => codeAfter(7, opened))).toBeUndefined();
    const refused = await withWorkshop({ WORKSHOP_RATE_LIMIT: "6/2" }, (opened) => codeAfter(7, opened));
    expect(refused).toBe("RATE_LIMIT_EXCEEDED");
  },
  "WORKSHOP_LOG=off": async () => {
    expect(await linesOnStderr({ WORKSHOP_LOG: "on" })).toBeGreaterThan(0);
    expect(await linesOnStderr({ WORKSHOP_LOG: "off" })).toBe(0);
  },
  "WAYBILL_SECRET=…": async () => {
    const [one, other] = ["a secret of sixteen bytes", "another secret of that length"];
    expect(await secondPage(one, other)).toBe("INVALID_CURSOR");
    expect(await secondPage(one, one)).toBeUndefined();
  },
};
