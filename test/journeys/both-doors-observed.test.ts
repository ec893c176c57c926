// What a call is answered with, and what is told of it, behind every door alike.

import { SpanStatusCode } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faults } from "../../src/core/contract/faults.ts";
import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import type { CallRequest } from "../../src/engine/request/call-request.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { CONTRACT_FLAG, defineFlags } from "../../src/engine/settings/flags-and-tiers/define-flags.ts";
import { defineTiers } from "../../src/engine/settings/flags-and-tiers/define-tiers.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { listen, stopListening } from "../../src/engine/observe/open-telemetry.fixture.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { type DoorTool, type OpenDoor, codeOf, doors, envelopeIn, openDoor } from "./both-doors.fixture.ts";

const rows = Array.from({ length: 400 }, (_, id) => ({ id, title: `Task number ${id}` }));

function collector() {
  const lines: { readonly level: string; readonly msg: string; readonly fields: JsonObject }[] = [];
  const at = (level: string) => (fields: object, msg?: string) =>
    void lines.push({ level, msg: msg ?? "", fields: fields as JsonObject });
  return { lines, logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } };
}

describe.each(doors)("$door", (door) => {
  let opened: OpenDoor | undefined;
  afterEach(async () => {
    await opened?.close();
    stopListening();
  });

  async function open(tools: readonly DoorTool[], options: ContractOptions = {}): Promise<OpenDoor> {
    opened = await openDoor(door, tools, options);
    return opened;
  }

  it("keeps a tool for its tier and behind its flag", async () => {
    let runs = 0;
    const run = () => ({ run: ++runs });
    const tiers = defineTiers<CallRequest>({
      order: ["free", "pro"],
      of: ({ meta }) => meta["test/tier"] as string,
    });
    const flags = defineFlags({ beta: { state: "experimental", default: false } });
    const tools = [
      { name: "pro", guards: { tier: "pro" }, run },
      { name: "beta", guards: { flag: "beta" }, run },
    ];
    const { call } = await open(tools, { tiers, flags });
    expect(codeOf(await call("pro", {}, { meta: { "test/tier": "free" } }))).toBe("UPGRADE_REQUIRED");
    expect(codeOf(await call("beta"))).toBe("FEATURE_DISABLED");
    expect(runs).toBe(0);
    expect(codeOf(await call("pro", {}, { meta: { "test/tier": "pro" } }))).toBe("ok");
  });

  it("cuts by the tool's own budget and strategy, and gives back what was cut", async () => {
    const guards = { budget: { tokens: 600 }, strategy: "head" as const, idPath: "id" };
    const { call, client } = await open([{ name: "t", guards, run: () => ({ rows }) }], {
      budget: { tokens: "off" },
    });
    const { data, meta } = envelopeIn(await call("t"));
    expect((data["rows"] as unknown[]).length).toBeLessThan(400);
    expect(meta["content_fidelity"]).toBe("partial");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("waybill_retrieve");
  });

  it("speaks the tool's own dialect, profile and encoding, and shows its version", async () => {
    const { call } = await open([
      { name: "scalpel", guards: { dialect: "scalpel" }, run: () => ({ a: 1 }) },
      { name: "debug", guards: { profile: "debug", version: "7.1.0" }, run: () => ({ a: 1 }) },
      { name: "table", guards: { encoding: "table" }, run: () => ({ rows: rows.slice(0, 20) }) },
      { name: "less", guards: { exclude: ["rows[*].title"] }, run: () => ({ rows: rows.slice(0, 2) }) },
    ]);
    expect((await call("scalpel"))["structuredContent"]).toEqual({ data: { a: 1 } });
    expect(JSON.stringify(envelopeIn(await call("debug")).meta)).toContain("7.1.0");
    expect(JSON.stringify(envelopeIn(await call("table")).data)).toContain("columns");
    expect(envelopeIn(await call("less")).data).toEqual({ rows: [{ id: 0 }, { id: 1 }] });
  });

  it("keeps the code of a fault and masks secrets in what failures say", async () => {
    const run: DoorTool["run"] = () => {
      throw faults.unavailable("No answer from postgres://app:hunter2secret@10.0.0.7/db");
    };
    const { call } = await open([{ name: "t", run }]);
    const result = await call("t");
    expect(codeOf(result)).toBe("UNAVAILABLE");
    expect(JSON.stringify(result)).not.toContain("hunter2secret");
  });

  it("maps an error where its text has not become the answer already", async () => {
    const run: DoorTool["run"] = () => {
      throw new RangeError("The disk is full");
    };
    const mapError = () => faults.unavailable("Storage is full");
    const { call } = await open([{ name: "t", run }], { mapError });
    const { data, error } = envelopeIn(await call("t"));
    const expected = door.isAttached
      ? { code: "OPERATION_FAILED", error: "The disk is full" }
      : { code: "UNAVAILABLE", error: "Storage is full" };
    expect({ code: data["error_code"], error }).toEqual(expected);
  });

  // shows 001.17
  it("logs a fault's cause, an answer in the legacy form and an archive that fails, with the request's id", async () => {
    const { lines, logger } = collector();
    const store = Object.assign(memoryStore(), {
      put: () => Promise.reject(new Error("The archive is full")),
    });
    const flags = defineFlags({ [CONTRACT_FLAG]: { state: "experimental", default: false } });
    const tools: readonly DoorTool[] = [
      {
        name: "fails",
        run: () => {
          throw new ToolFault("Gone", { errorCode: "NOT_FOUND", cause: new Error("row 7") });
        },
      },
      { name: "cut", guards: { budget: { tokens: 600 } }, run: () => ({ rows }) },
    ];
    const { call } = await open(tools, { logger, logLevel: "warn", store, flags });
    await call("fails", {}, { meta: { "waybill/request_id": "req_a" } });
    await call("cut", {}, { meta: { "waybill/request_id": "req_b" } });
    const said = lines.map(({ msg, fields }) => [msg, fields["request_id"], fields["tool"]]);
    expect(said).toContainEqual(["tool-failed", "req_a", "fails"]);
    expect(said).toContainEqual(["legacy-response", "req_a", "fails"]);
    expect(said).toContainEqual(["archive-failed", "req_b", "cut"]);
  });

  it("leaves a request for input as it is, and counts it as no failure", async () => {
    const heard = listen();
    const asks = { resultType: "input_required", inputRequests: {}, requestState: "s1" };
    const answers = { content: [{ type: "text", text: "Hello" }] };
    let runs = 0;
    const { call } = await open([{ name: "t", run: () => (runs++ === 0 && door.isModern ? asks : answers) }]);
    expect(codeOf(await call("t"))).toBe("ok");
    const outcomes = heard.spans().map(({ attributes }) => attributes["waybill.outcome"]);
    expect(outcomes).toEqual(door.isModern ? ["success", "success"] : ["success"]);
  });

  describe("with an OpenTelemetry SDK", () => {
    let heard: ReturnType<typeof listen>;
    beforeEach(() => {
      heard = listen();
    });

    it("makes one span a call, a child of the caller's, with the same attributes and status", async () => {
      const run: DoorTool["run"] = ({ said }) => {
        if (said === "missing") throw faults.notFound("task", "T-9");
        if (said === "away") throw faults.unavailable("Away");
        return { fine: true };
      };
      const { call } = await open([{ name: "t", guards: { cache: { ttlMs: 60_000 } }, run }]);
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      for (const said of ["fine", "fine", "missing", "away"])
        await call(
          "t",
          { said },
          { meta: { traceparent, "waybill/request_id": "req_a", "test/tenant": "a" } },
        );
      const spans = heard.spans();
      expect(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
        Array.from({ length: 4 }, () => "b7ad6b7169203331"),
      );
      const common = {
        "mcp.method.name": "tools/call",
        "mcp.tool.name": "t",
        "waybill.server": "doors",
        "waybill.request_id": "req_a",
        "waybill.tenant": "a",
        "waybill.dialect": "response-v2",
        "waybill.profile": "standard",
        "waybill.bytes": expect.any(Number),
        "waybill.duration_ms": expect.any(Number),
      };
      expect(spans.map(({ attributes }) => attributes)).toEqual([
        { ...common, "waybill.outcome": "success", "waybill.cache_hit": false },
        { ...common, "waybill.outcome": "success", "waybill.cache_hit": true },
        {
          ...common,
          "waybill.outcome": "failure",
          "error.type": "not_found",
          "waybill.error_code": "NOT_FOUND",
          "waybill.cache_hit": false,
        },
        {
          ...common,
          "waybill.outcome": "failure",
          "error.type": "unavailable",
          "waybill.error_code": "UNAVAILABLE",
          "waybill.cache_hit": false,
        },
      ]);
      expect(spans.map(({ status }) => status.code === SpanStatusCode.ERROR)).toEqual([
        false,
        false,
        false,
        true,
      ]);
    });

    it("counts calls and errors", async () => {
      const run: DoorTool["run"] = ({ said }) => {
        if (said === "missing") throw faults.notFound("task", "T-9");
        return { fine: true };
      };
      const { call } = await open([{ name: "t", run }]);
      await call("t");
      await call("t", { said: "missing" });
      expect(await heard.points("waybill.calls")).toEqual([
        { attributes: { tool: "t", outcome: "success" }, value: 1 },
        { attributes: { tool: "t", outcome: "failure" }, value: 1 },
      ]);
      expect(await heard.points("waybill.errors")).toMatchObject([
        { attributes: { tool: "t", error_code: "NOT_FOUND" }, value: 1 },
      ]);
    });
  });

  it("tells a listener of start, stages, trouble and end", async () => {
    const run: DoorTool["run"] = () => {
      throw new ToolFault("Gone", { errorCode: "NOT_FOUND", cause: new Error("row 7") });
    };
    const { call, contract } = await open([{ name: "t", run }]);
    const told: unknown[] = [];
    const stop = contract.onCall({
      start: ({ tool, requestId }) => {
        told.push(["start", tool, requestId]);
        return {
          stage: ({ stage }) => void told.push(stage),
          end: (facts) => void told.push(["end", facts?.errorCode]),
        };
      },
      trouble: ({ event, requestId }) => void told.push([event, requestId]),
    });
    await call("t", {}, { meta: { "waybill/request_id": "req_a" } });
    stop();
    await call("t");
    expect(told).toEqual([
      ["start", "t", "req_a"],
      ["tool-failed", "req_a"],
      "outcome",
      "shape",
      "fit",
      "archive",
      "dialect",
      "deliver",
      ["end", "NOT_FOUND"],
    ]);
  });
});
