import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { CallRequest } from "../request/call-request.ts";
import { identifyCall } from "./open-call.ts";

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

  it("knows a caller over HTTP by the token it presents, else by its session, else not at all", () => {
    const over = (request: Partial<CallRequest>) =>
      identifyCall({ meta: {}, isHttp: true, ...request }, { name: "shop" });
    expect(over({ auth: { subject: "ada" }, bearerHash: "b1", sessionId: "s1" })).toMatchObject({
      tenant: "sub:ada",
      isAnonymous: false,
    });
    expect(over({ bearerHash: "b1", sessionId: "s1" })).toMatchObject({
      tenant: "bearer:b1",
      isAnonymous: false,
      principal: undefined,
    });
    const session = over({ sessionId: "s-private" });
    expect(session).toMatchObject({ isAnonymous: false, principal: undefined });
    expect(session.tenant).toMatch(/^session:[0-9a-f]{32}$/);
    expect(over({ sessionId: "s2" }).tenant).not.toBe(session.tenant);
    expect(over({})).toMatchObject({ tenant: "anonymous:shop", isAnonymous: true, principal: undefined });
  });

  it("is on stdio the one local client of the server", () => {
    expect(identifyCall({ meta: {}, isHttp: false }, { name: "shop" })).toMatchObject({
      tenant: "local:shop",
      isAnonymous: false,
    });
  });

  it("does not open with an unverified token what was kept while the token was verified", () => {
    const verified = identifyCall({ meta: {}, isHttp: true, auth: { token: "t" } }, {});
    const bearerHash = verified.tenant.replace("token:", "");
    expect(identifyCall({ meta: {}, isHttp: true, bearerHash }, {}).tenant).not.toBe(verified.tenant);
  });

  it("takes what the server's own function says for a known caller, and no answer for none", () => {
    const tenant = ({ peer }: CallRequest) => (peer === "10.0.0.7" ? "office" : undefined);
    expect(identifyCall({ meta: {}, isHttp: true, peer: "10.0.0.7" }, { tenant })).toMatchObject({
      tenant: "office",
      isAnonymous: false,
    });
    expect(identifyCall({ meta: {}, isHttp: true }, { tenant }).isAnonymous).toBe(true);
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
