import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { identifyCall } from "./identify-call.ts";

const of = (meta: JsonObject, options = {}) => identifyCall({ meta }, options);

describe("identifyCall", () => {
  it("takes a client's request id", () => {
    expect(of({ "waybill/request_id": "abc-1_X" })).toMatchObject({
      requestId: "abc-1_X",
      requestIdFrom: "client",
    });
  });

  it.each(["", "a b", "a\nb", "x".repeat(129), 7, null, ["a"]])("replaces the request id %j", (given) => {
    const { requestId, requestIdFrom } = of({ "waybill/request_id": given });
    expect(requestId).toMatch(/^req_[0-9a-f]{12}$/);
    expect(requestIdFrom).toBe("server");
  });

  it("takes ids from the contract's own source", () => {
    expect(of({}, { requestIds: () => "own_1" })).toMatchObject({
      requestId: "own_1",
      requestIdFrom: "server",
    });
  });

  it("knows a caller by the verified subject, else by the token's hash, never by the client id", () => {
    const subject = identifyCall({ meta: {}, auth: { subject: "ada", clientId: "app", token: "t" } }, {});
    expect(subject).toMatchObject({ principal: "sub:ada", tenant: "sub:ada" });
    const token = identifyCall({ meta: {}, auth: { clientId: "app", token: "very-private" } }, {});
    expect(token.principal).toMatch(/^token:[0-9a-f]{32}$/);
    expect(JSON.stringify(token)).not.toContain("very-private");
    const client = identifyCall({ meta: {}, auth: { clientId: "app" } }, { name: "shop" });
    expect(client).toMatchObject({ principal: undefined, tenant: "local:shop" });
  });

  it("lets the server say whose data a call may see", () => {
    const tenant = ({ auth }: { auth?: { clientId?: string } }) => auth?.clientId;
    expect(identifyCall({ meta: {}, auth: { clientId: "org-1" } }, { tenant }).tenant).toBe("org-1");
    expect(identifyCall({ meta: {} }, { tenant }).tenant).toBe("local:waybill");
  });

  it("carries the trace context of the request, where it is a text of a sensible length", () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    expect(of({ traceparent, tracestate: "a=1" })).toMatchObject({ traceparent, tracestate: "a=1" });
    expect(of({ traceparent: 7, tracestate: "x".repeat(513) })).toMatchObject({
      traceparent: undefined,
      tracestate: undefined,
    });
  });

  it.each([
    ["k1", "k1"],
    [7, "7"],
    ["", ""],
    [{ a: 1 }, ""],
    [true, ""],
    [null, undefined],
    [undefined, undefined],
  ])("reads the idempotency key %j as %j", (given, key) => {
    expect(of({ "waybill/idempotency_key": given as never }).idempotencyKey).toBe(key);
  });
});
