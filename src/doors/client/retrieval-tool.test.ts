import { describe, expect, it } from "vitest";
import { cutPair } from "./cut-pair.fixture.ts";
import { retrievalTool } from "./archive-faults.ts";
import { connect } from "./connection.ts";

const rows = Array.from({ length: 400 }, (_, id) => ({ id, text: `Row number ${id} says so` }));
const retrieval = { archive: {}, ids: {}, pointer: {}, match: {}, cursor: {} };
const tools = [
  { name: "fetch_rest", inputSchema: { type: "object", properties: retrieval } },
  { name: "delete_all", inputSchema: { type: "object" } },
];

/** The tool that a client calls for an answer whose hint names this one. */
function chosen(
  hint: string | undefined,
  listed: readonly object[] | undefined,
  by: "gateway" | "server" = "server",
) {
  const callTool = (): Promise<unknown> => Promise.reject(new Error("not called"));
  const listTools = async () => ({ tools: listed });
  const connection = listed === undefined ? connect(callTool) : connect({ callTool, listTools });
  const context = { retrieve: { tool: hint ?? null } };
  return retrievalTool({ connection }, { by: "server", warnings: [{ message: "cut", by, context }] });
}

describe("the tool that a client fetches with", () => {
  it.each([
    ["as the answer names it, where it is listed with our arguments", "fetch_rest", tools, "fetch_rest"],
    ["never one that is another tool, whatever an answer says", "delete_all", tools, "fetch_rest"],
    ["the listed one, where the answer names none", undefined, tools, "fetch_rest"],
    ["by its usual name, without a list", "waybill_retrieve_2", undefined, "waybill_retrieve_2"],
    ["by a name that a gateway makes, without a list", "files_retrieve", undefined, "files_retrieve"],
    ["not by any other name, without a list", "delete_all", undefined, "waybill_retrieve"],
    ["by the usual name from a server that lists none", undefined, [], "waybill_retrieve"],
  ])("is taken %s", async (_how, hint, listed, expected) => {
    expect(await chosen(hint, listed)).toBe(expected);
  });

  it("is not taken from a hint of somebody else than the writer of the answer", async () => {
    expect(await chosen("files_retrieve", undefined, "gateway")).toBe("waybill_retrieve");
  });
});

describe("complete, retrieve and ask", () => {
  it.each([["by tool alone"], ["over an SDK client"]])("use the name in force: %s", async (how) => {
    const pair = await cutPair({ retrieve: { name: "rows_retrieve" } });
    pair.given.value = { rows };
    const client = how === "by tool alone" ? pair.byTool() : pair.byResource();
    const cut = await client.call("read", {}, { budget: 400 });
    expect(cut.fidelity).toBe("partial");
    expect((await client.complete(cut)).data).toEqual({ rows });
    expect(await client.retrieve(cut, ["399"])).toMatchObject([{ value: rows[399] }]);
    expect(await client.ask(cut, "length(rows)")).toMatchObject({ data: 400 });
    await pair.close();
  });
});
