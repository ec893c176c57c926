import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type ClientKind, type JourneyClient, clientKinds, connectClient } from "./clients/connect-client.ts";
import { type HttpWorkshop, startHttp } from "./clients/workshop-process.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const draft = "response-v2-draft";
let http: HttpWorkshop;

beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.stop());

/** The dialect and profile a result says it is in. */
function contractOf(result: JsonObject): unknown {
  return (result["_meta"] as JsonObject)["waybill/contract"];
}

const params = { name: "spec", arguments: { action: "get", spec_id: "my-feature" } };
const standard = { dialect: "response-v2", profile: "standard" };

interface Reach {
  readonly transport: "stdio" | "http";
  readonly kind: ClientKind;
}
const reaches: readonly Reach[] = (["stdio", "http"] as const).flatMap((transport) =>
  clientKinds.map((kind) => ({ transport, kind })),
);

function connect({ transport, kind }: Reach, extensions?: JsonObject): Promise<JourneyClient> {
  const options = extensions === undefined ? {} : { extensions };
  return transport === "stdio"
    ? connectClient(kind, { transport, environment: {} }, options)
    : connectClient(kind, { transport, url: http.url, token: kind.token }, options);
}

describe.each(someOf(reaches, 2))("over $transport, client $kind.version in the $kind.era era", (reach) => {
  let client: JourneyClient;
  beforeAll(async () => {
    client = await connect(reach);
  });
  afterAll(() => client.close());

  it("gets what one request asks for, for that request only", async () => {
    const asked = { "waybill/contract": { dialect: draft, profile: "minimal" } };
    expect(contractOf(await client.call({ ...params, _meta: asked }))).toBe(draft);
    expect(contractOf(await client.call(params))).toEqual(standard);
    // What a result says of itself can be asked for in the same words.
    const again = { "waybill/contract": draft };
    expect(contractOf(await client.call({ ...params, _meta: again }))).toBe(draft);
  });

  it("is told when it asks for what is not offered, and never gets debug", async () => {
    const _meta = { "waybill/contract": { dialect: "drf", profile: "debug" } };
    const result = await client.call({ ...params, _meta });
    expect(contractOf(result)).toEqual(standard);
    expect(result["structuredContent"]).toMatchObject({
      success: true,
      meta: { warning_details: [{ code: "DIALECT_NOT_ALLOWED" }, { code: "DIALECT_NOT_ALLOWED" }] },
    });
  });

  it("gets what its capabilities ask for, unless a request asks for something else", async () => {
    const asking = await connect(reach, {
      "waybill/response-contract": { profile: "minimal", dialect: draft },
    });
    // Over HTTP without a session nothing remembers a legacy client's capabilities.
    const isForgotten = reach.transport === "http" && reach.kind.era === "legacy";
    expect(contractOf(await asking.call(params))).toEqual(isForgotten ? standard : draft);
    const _meta = { "waybill/contract": { dialect: "response-v2", profile: "standard" } };
    expect(contractOf(await asking.call({ ...params, _meta }))).toEqual(standard);
    await asking.close();
  });

  it("learns the server's capabilities", async () => {
    const answer = await client.call({ name: "server", arguments: { action: "capabilities" } });
    expect(answer["structuredContent"]).toMatchObject({
      success: true,
      data: { capabilities: { dialect: "response-v2", pagination: true } },
    });
    const typo = await client.call({ name: "server", arguments: { action: "capabilites" } });
    expect(typo["isError"]).toBe(true);
    expect(JSON.stringify(typo["structuredContent"])).toContain("Did you mean");
  });

  // Last, because on stdio the choice stays for the connection.
  // shows 004.67
  it("negotiates with the server tool, which says whether the choice stays", async () => {
    const answer = await client.call({
      name: "server",
      arguments: {
        action: "capability-negotiate",
        client_capabilities: { response_contract: "v2", profile: "minimal" },
      },
    });
    const sticks = reach.transport === "stdio" && reach.kind.era === "legacy";
    const contract = { dialect: "response-v2", profile: "minimal" };
    expect(answer["structuredContent"]).toMatchObject({
      success: true,
      data: {
        negotiated: { response_version: "response-v2", ...contract },
        sticky: sticks,
        ...(sticks ? {} : { how_to_keep: { _meta: { "waybill/contract": contract } } }),
      },
    });
    expect(contractOf(await client.call(params))).toEqual(sticks ? "response-v2" : standard);
  });
});
