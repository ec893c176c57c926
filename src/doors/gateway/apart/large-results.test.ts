import { afterEach, describe, expect, it, vi } from "vitest";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { until } from "../../../engine/transport/until.fixture.ts";
import { memoryStore } from "../../../engine/archive/memory-store.ts";
import { bridgeTo } from "../bridge/bridge.fixture.ts";

afterEach(() => vi.restoreAllMocks());

const LARGE = 2_000_000;
const rows = (bytes: number): string =>
  JSON.stringify(
    Array.from({ length: bytes / 50 }, (_, at) => ({ id: at, note: "granite lantern copper sail" })),
  );

/** A server whose tool answers with as many bytes of rows as its call asks for. */
function openLarge(contract: ContractOptions = {}) {
  const opened = bridgeTo(
    ({ id, method, params }) => {
      if (method === "tools/list")
        return { jsonrpc: "2.0", id: id ?? null, result: { tools: [{ name: "rows" }] } };
      if (method !== "tools/call" || !isJsonObject(params) || !isJsonObject(params["arguments"]))
        return undefined;
      const text = rows(Number(params["arguments"]["bytes"]));
      return { jsonrpc: "2.0", id: id ?? null, result: { content: [{ type: "text", text }] } };
    },
    { dialect: "auto", budget: { tokens: 500 }, validate: "never", ...contract },
  );
  const call = (id: number, bytes: number): void =>
    opened.client.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "rows", arguments: { bytes } },
      }),
    );
  const answerTo = async (id: number): Promise<JsonObject> => {
    const find = (): unknown => opened.client.heard.find((one) => isJsonObject(one) && one["id"] === id);
    await until(() => find() !== undefined);
    return find() as JsonObject;
  };
  return { ...opened, call, answerTo };
}

describe("a large answer to a call", () => {
  it("is cut and archived without being read on the thread of everybody else", async () => {
    const { call, answerTo, bridge } = openLarge();
    const read = vi.spyOn(JSON, "parse");
    call(1, LARGE);
    const { result } = await answerTo(1);
    const long = read.mock.calls.filter(([text]) => text.length > 100_000);
    bridge.close();
    expect(JSON.stringify(result)).toMatch(/CONTENT_TRUNCATED.*waybill_retrieve/s);
    // The link of this test reads what it hears; no other code may.
    expect(long).toHaveLength(1);
  });

  it("says that it is not kept where the store fails, and the log says why", async () => {
    const logged: unknown[] = [];
    const log = (fields: object, event: string): void => void logged.push({ ...fields, event });
    const store = memoryStore();
    vi.spyOn(store, "put").mockRejectedValue(new Error("the disk is full"));
    const { call, answerTo, bridge } = openLarge({
      store,
      logLevel: "debug",
      logger: { info: log, warn: log, error: log },
    });
    call(1, LARGE);
    const { result } = await answerTo(1);
    bridge.close();
    expect(JSON.stringify(result)).toContain("could not be stored");
    expect(JSON.stringify(logged)).toMatch(
      /archive-failed.*the disk is full|the disk is full.*archive-failed/,
    );
  });

  it("whose caller gave up delays no other call: those behind it are answered", async () => {
    const { call, answerTo, bridge, client } = openLarge();
    for (const id of [1, 2, 3, 4]) call(id, LARGE);
    await until(() => true);
    for (const requestId of [1, 2, 3])
      client.send(
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
      );
    expect(JSON.stringify(await answerTo(4))).toContain("CONTENT_TRUNCATED");
    call(5, LARGE);
    expect(JSON.stringify(await answerTo(5))).toContain("CONTENT_TRUNCATED");
    const ids = client.heard.map((one) => (isJsonObject(one) ? one["id"] : undefined));
    bridge.close();
    expect(ids).not.toContain(1);
    expect(ids).not.toContain(3);
  });

  it("is answered in the same words as its shorter twin, whose bytes are read here", async () => {
    const { call, answerTo, bridge } = openLarge();
    call(1, LARGE);
    call(2, 100_000);
    const words = [await answerTo(1), await answerTo(2)].map((answer) =>
      JSON.stringify(answer).replaceAll(/\d+|[0-9a-f]{12,}/g, "#"),
    );
    bridge.close();
    expect(words[0]?.slice(0, 300)).toBe(words[1]?.slice(0, 300));
  });
});
