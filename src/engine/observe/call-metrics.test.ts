import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CallFacts, CallListener } from "./call-facts.ts";
import { callsPage } from "./call-metrics.ts";

const success: CallFacts = {
  ok: true,
  dialect: "response-v2",
  profile: "minimal",
  bytes: 40,
  durationMs: 20,
};

/** A page on loopback, and what its calls are told to. */
async function serve(): Promise<{
  readonly url: string;
  readonly call: (facts: CallFacts | undefined) => Promise<void>;
}> {
  let listener: CallListener = {};
  const page = callsPage((given) => (listener = given));
  const server = createServer((request, response) => void page(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    call: async (facts) => {
      const watch = await listener.start?.({ tool: "read", requestId: "r1" });
      watch?.end?.(facts);
    },
  };
}

describe("the page of one server", () => {
  it("has no label but those of the call", async () => {
    const { url, call } = await serve();
    await call(success);
    await call({ ...success, ok: false, errorCode: "NOT_FOUND" });
    await call({ ...success, isCut: true, isArchived: true });
    await call(undefined);
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await response.text()).split("\n");
    for (const line of [
      'waybill_calls_total{tool="read",outcome="success"} 2',
      'waybill_calls_total{tool="read",outcome="failure"} 1',
      'waybill_errors_total{code="NOT_FOUND"} 1',
      "waybill_calls_abandoned_total 1",
      "waybill_cuts_total 1",
      'waybill_archive_writes_total{outcome="success"} 1',
      "waybill_result_bytes_total 120",
      "waybill_call_duration_seconds_count 3",
    ])
      expect(lines).toContain(line);
  });

  it("shows what is counted when it is read", async () => {
    const { url, call } = await serve();
    expect(await (await fetch(url)).text()).not.toContain("waybill_calls_total");
    await call(success);
    expect(await (await fetch(url)).text()).toContain(
      'waybill_calls_total{tool="read",outcome="success"} 1\n',
    );
  });

  it("takes nothing but GET and HEAD", async () => {
    const { url } = await serve();
    const refused = await fetch(url, { method: "POST" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  });
});
