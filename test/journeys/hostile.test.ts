import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { type AnyTool, defineTool } from "../../src/engine/settings/tool-definition.ts";
import { MARK, hostileHandlers } from "./hostile-handlers.fixture.ts";
import { openTapped, verdictOf } from "./tapped-server.fixture.ts";

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

const good = defineTool("good", { description: "Fine" }, () => ({ fine: true }));

const tools: readonly AnyTool[] = [
  good,
  ...hostileHandlers.map(({ name, run, timeoutMs }) =>
    defineTool(
      name.replaceAll(/\W+/g, "_"),
      { description: name, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      (_, context) => run(context),
    ),
  ),
];

function openHostile(era: "legacy" | "modern" = "legacy") {
  const logged: unknown[] = [];
  const note = (fields: object): void => void logged.push(fields);
  const contract = createContract({
    validate: "always",
    logger: { debug: note, info: note, warn: note, error: note },
  });
  return openTapped(contract, tools, era).then((tapped) => ({ ...tapped, logged, contract }));
}

describe.each(["legacy", "modern"] as const)("a hostile handler, %s era", (era) => {
  it.each(hostileHandlers)("that $name gets $code, and the server goes on", async ({ name, code }) => {
    const { call, sent, logged, close } = await openHostile(era);
    const result = await call(name.replaceAll(/\W+/g, "_"));
    expect(verdictOf(result)).toBe(code);
    expect(result["isError"]).toBe(code === "success" ? undefined : true);
    expect(verdictOf(await call("good"))).toBe("success");
    expect(sent.join("\n")).not.toContain(MARK);
    expect(logged.length).toBe(code === "INTERNAL_ERROR" || code === "UNAVAILABLE" ? 1 : 0);
    await close();
  });
});

const read = defineTool(
  "read",
  {
    description: "Typed",
    inputSchema: z.object({
      id: z.string(),
      count: z.number().optional(),
      mode: z.enum(["fast", "slow"]).optional(),
    }),
  },
  ({ id }) => ({ length: id.length }),
);
const keys = defineTool("keys", { description: "Untyped" }, (args) => ({ keys: Object.keys(args) }));

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;
const KEY = "waybill/idempotency_key";

interface ClientCase {
  readonly sends: string;
  readonly params: JsonObject;
  readonly code: string;
}

const typed = (args: unknown, meta?: unknown): JsonObject =>
  ({ name: "read", arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }) as JsonObject;

const clientCases: readonly ClientCase[] = [
  { sends: "a number for a text", params: typed({ id: 7 }), code: "INVALID_FORMAT" },
  { sends: "null for a text", params: typed({ id: null }), code: "INVALID_FORMAT" },
  { sends: "nothing for a text", params: typed({}), code: "MISSING_REQUIRED" },
  { sends: "no arguments at all", params: { name: "read" }, code: "MISSING_REQUIRED" },
  { sends: "an unknown mode", params: typed({ id: "a", mode: "fats" }), code: "VALIDATION_ERROR" },
  { sends: "arguments that are a text", params: typed("id=a"), code: "-32602" },
  { sends: "arguments that are a list", params: typed([1]), code: "-32602" },
  { sends: "10,000-deep arguments", params: typed({ id: nested(10_000) }), code: "VALIDATION_ERROR" },
  {
    sends: "10,000-deep arguments to a tool without a schema",
    params: { name: "keys", arguments: { a: nested(10_000) as never } },
    code: "VALIDATION_ERROR",
  },
  { sends: "5 MB of arguments", params: typed({ id: "x".repeat(5_000_000) }), code: "success" },
  {
    sends: "5 MB in the wrong place",
    params: typed({ id: "a", mode: "x".repeat(5_000_000) }),
    code: "VALIDATION_ERROR",
  },
  {
    sends: "a __proto__ argument",
    params: parsed('{"name":"read","arguments":{"id":"a","__proto__":{"polluted":true}}}'),
    code: "success",
  },
  {
    sends: "a __proto__ and a constructor to a tool without a schema",
    params: parsed(
      '{"name":"keys","arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ),
    code: "success",
  },
  { sends: "unknown _meta", params: typed({ id: "a" }, { "com.example/x": [1, { y: 2 }] }), code: "success" },
  // The SDK takes these for no JSON-RPC message at all, and drops them before anything of ours sees them.
  { sends: "_meta that is a text", params: typed({ id: "a" }, "meta"), code: "no answer" },
  { sends: "_meta that is a list", params: typed({ id: "a" }, [1]), code: "no answer" },
  {
    sends: "a __proto__ in _meta",
    params: parsed('{"name":"read","arguments":{"id":"a"},"_meta":{"__proto__":{"polluted":1}}}'),
    code: "success",
  },
  {
    sends: "a contract that is a number",
    params: typed({ id: "a" }, { "waybill/contract": 5 }),
    code: "success",
  },
  {
    sends: "a contract of odd types",
    params: typed({ id: "a" }, { "waybill/contract": { dialect: [1], profile: {}, budget_tokens: "x" } }),
    code: "success",
  },
  {
    sends: "an unknown contract",
    params: typed({ id: "a" }, { "waybill/contract": { dialect: "morse", profile: "debug" } }),
    code: "success",
  },
  {
    sends: "a contract 10,000 deep",
    params: typed({ id: "a" }, { "waybill/contract": nested(10_000) }),
    code: "success",
  },
  {
    sends: "a request id of an odd type",
    params: typed({ id: "a" }, { "waybill/request_id": { a: 1 } }),
    code: "success",
  },
  {
    sends: "a request id with line ends",
    params: typed({ id: "a" }, { "waybill/request_id": "a\nb" }),
    code: "success",
  },
  {
    sends: "a broken traceparent",
    params: typed({ id: "a" }, { traceparent: "00-zz", tracestate: 7 }),
    code: "success",
  },
  {
    sends: "an idempotency key that is a list",
    params: typed({ id: "a" }, { [KEY]: [1] }),
    code: "VALIDATION_ERROR",
  },
  {
    sends: "an idempotency key 10,000 deep",
    params: typed({ id: "a" }, { [KEY]: nested(10_000) }),
    code: "VALIDATION_ERROR",
  },
  {
    sends: "an idempotency key of 5 MB",
    params: typed({ id: "a" }, { [KEY]: "k".repeat(5_000_000) }),
    code: "VALIDATION_ERROR",
  },
  { sends: "an unknown tool", params: { name: "raed", arguments: {} }, code: "-32602" },
  { sends: "a tool called __proto__", params: { name: "__proto__", arguments: {} }, code: "-32602" },
];

describe("a hostile client", () => {
  it.each(clientCases)("that sends $sends gets $code, and the server goes on", async ({ params, code }) => {
    const contract = createContract({ validate: "always", logLevel: "silent" });
    const { callRaw, call, sent, close } = await openTapped(contract, [good, read, keys]);
    const response = await callRaw(params);
    expect(verdictOf(response)).toBe(code);
    // A refusal stays short, however much was sent.
    expect(sent.at(-1)?.length).toBeLessThan(4_000);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(verdictOf(await call("good"))).toBe("success");
    await close();
  });
});

describe("a client that goes away", () => {
  const events: string[] = [];
  const wait = defineTool(
    "wait",
    { description: "Waits for its signal" },
    async (_, { signal, progress }) => {
      events.push("started");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      events.push(`stopped: ${String(signal.reason)}`);
      void progress(1);
      throw new Error(MARK);
    },
  );
  const open = async () => {
    events.length = 0;
    const contract = createContract({ validate: "always", logLevel: "silent" });
    return { contract, ...(await openTapped(contract, [good, wait])) };
  };
  const started = async () => {
    await expect.poll(() => events).toEqual(["started"]);
  };
  // Without a time limit the handler's signal is the SDK's own, and so is its reason.
  const stopped = async (reason: string) => {
    await expect.poll(() => events).toEqual(["started", expect.stringMatching(`^stopped: .*${reason}`)]);
  };

  it("stops its handler by cancelling, gets no answer, and is served again", async () => {
    const { client, call, sent, close } = await open();
    const controller = new AbortController();
    const running = client.callTool(
      { name: "wait", arguments: {}, _meta: { progressToken: 1 } },
      { signal: controller.signal },
    );
    const refused = running.catch((error: unknown) => error);
    await started();
    const before = sent.length;
    controller.abort(new Error("enough"));
    expect(await refused).toMatchObject({ message: expect.stringContaining("enough") as string });
    await stopped("enough");
    expect(verdictOf(await call("good"))).toBe("success");
    expect(sent.slice(before).filter((text) => text.includes('"isError"'))).toEqual([]);
    await close();
  });

  it("stops its handler by disconnecting, and the next connection is served", async () => {
    const { contract, client, call } = await open();
    const lost = call("wait", {}, { progressToken: 1 }).catch((error: unknown) => error);
    await started();
    await client.close();
    expect(String(await lost)).toMatch(/closed/i);
    await stopped("Connection closed");
    const next = await openTapped(contract, [good, wait]);
    expect(verdictOf(await next.call("good"))).toBe("success");
    await next.close();
  });
});

describe("all of the above", () => {
  it("leaves no rejection unhandled", async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(unhandled).toEqual([]);
  });
});
