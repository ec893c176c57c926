import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { findingsOf, modernRecordOf, recordOf, said, verdictOf } from "../record.fixture.ts";
import type { ServerRecord } from "../server-record.ts";

const META = "io.modelcontextprotocol/clientCapabilities";

/** A request and the result that asks for input. */
function asking(result: JsonObject, method = "tools/call", capabilities: JsonObject = {}): ServerRecord {
  const params = { name: "pay", _meta: { [META]: capabilities } };
  return modernRecordOf({
    messages: [
      said("client", { jsonrpc: "2.0", id: 9, method, params }),
      said("server", { jsonrpc: "2.0", id: 9, result: { resultType: "input_required", ...result } }),
    ],
  });
}

const elicitation = { method: "elicitation/create", params: { mode: "form", message: "Which one?" } };

describe("a result that asks for input", () => {
  it("keeps every rule where it asks for what the client declared, or for nothing but the same call", async () => {
    const declared = asking({ inputRequests: { which: elicitation } }, "tools/call", { elicitation: {} });
    for (const record of [declared, asking({ requestState: "s" }, "resources/read")])
      for (const rule of ["input/place", "input/content", "input/capabilities"])
        expect([rule, await findingsOf(rule, record)]).toEqual([rule, []]);
  });

  it.each(["tools/list", "server/discover"])("is no answer to %s", async (method) => {
    expect(await findingsOf("input/place", asking({ requestState: "s" }, method))).toEqual([
      { path: "/resultType", message: `\`${method}\` was answered with a request for input` },
    ]);
  });

  it("is no answer in the legacy era", async () => {
    const { messages } = asking({ requestState: "s" });
    expect(await findingsOf("input/place", recordOf({ messages }))).toHaveLength(1);
  });

  it.each<[string, JsonObject, string]>([
    ["nothing", {}, ""],
    ["a state that is no text", { requestState: { a: 1 } }, "/requestState"],
    ["requests that are no object", { inputRequests: [elicitation] }, "/inputRequests"],
    ["a request of another kind", { inputRequests: { a: { method: "tools/list" } } }, "/inputRequests"],
    ["a request that is a text", { inputRequests: { a: "elicitation/create" } }, "/inputRequests"],
  ])("has something to ask: %s", async (_, result, path) => {
    expect(await findingsOf("input/content", asking(result))).toMatchObject([{ tool: "pay", path }]);
  });

  it("asks only for what the client declared, and is reported once for a tool", async () => {
    const record = asking({ inputRequests: { a: elicitation, b: elicitation } });
    expect(await findingsOf("input/capabilities", record)).toEqual([
      {
        tool: "pay",
        path: "/inputRequests",
        message: "`elicitation/create` was asked for, but the client did not declare `elicitation`",
      },
    ]);
  });

  it("is untested where no result asks", async () => {
    expect(await verdictOf("input/content", modernRecordOf())).toEqual({
      untested: "No result asks for input",
    });
  });
});
