import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import type { CallListener } from "../observe/call-facts.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { listen, stopListening } from "../observe/open-telemetry.fixture.ts";
import { CallEvents, openTelemetryListener } from "./call-events.ts";

const call = { tool: "t", requestId: "req_1" };
const facts = { ok: true, dialect: "response-v2", profile: "standard", durationMs: 1 };
const failures: unknown[] = [];
const events = (): CallEvents => new CallEvents((error) => failures.push(error));
afterEach(() => void failures.splice(0));

type Watching = Parameters<CallEvents["stageTeller"]>[0];

/** Runs a call as the engine does. */
function observe<Result>(
  made: CallEvents,
  describeCall: () => typeof call,
  run: (watches: Watching) => Promise<Result>,
  gather: () => typeof facts,
): Promise<Result> {
  const watches = made.start(describeCall);
  return watches === undefined ? run(undefined) : made.watch(watches, run, gather);
}

function fail(): never {
  throw new Error("listener");
}

describe("without listeners", () => {
  it("nothing is described, no facts are gathered, and no stage is told", async () => {
    const made = events();
    made.listen({ isOn: () => false, start: () => ({ end: fail }) });
    made.listen({ trouble: () => undefined });
    const asked: string[] = [];
    const describeCall = () => {
      asked.push("describe");
      return call;
    };
    const gather = () => {
      asked.push("facts");
      return facts;
    };
    const result = await observe(
      made,

      describeCall,
      (watches) => {
        const teller = made.stageTeller(watches, () => {
          asked.push("count");
          return 1;
        });
        return Promise.resolve(teller);
      },
      gather,
    );
    expect(result).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe("a listener", () => {
  it("that wants no stages costs no count, and one that does counts when it asks", async () => {
    const made = events();
    let counted = 0;
    const count = () => (counted += 1);
    const parcel = { arrival: { kind: "value", value: 1 }, trace: [{ stage: "fit", says: "fits" }] } as const;
    const told: unknown[] = [];
    made.listen({ start: () => ({ end: () => undefined }) });
    await observe(
      made,

      () => call,
      (watches) => Promise.resolve(made.stageTeller(watches, count)?.(parcel)),
      () => facts,
    );
    made.listen({
      start: () => ({ stage: ({ stage, says, tokens }) => void told.push(stage, says, tokens) }),
    });
    await observe(
      made,

      () => call,
      (watches) => Promise.resolve(made.stageTeller(watches, count)?.(parcel)),
      () => facts,
    );
    expect(told.slice(0, 2)).toEqual(["fit", "fits"]);
    expect(counted).toBe(0);
    expect((told[2] as () => number)()).toBe(1);
  });

  const throwing: Readonly<Record<string, CallListener>> = {
    "in start": { start: fail },
    "in start, later": { start: () => Promise.reject(new Error("listener")) },
    "in around": { start: () => ({ around: fail }) },
    "in around, later": { start: () => ({ around: (() => Promise.reject(new Error("listener"))) as never }) },
    "in stage": { start: () => ({ stage: fail }) },
    "in stage, later": { start: () => ({ stage: () => Promise.reject(new Error("listener")) as never }) },
    "in end": { start: () => ({ end: fail }) },
    "in end, later": { start: () => ({ end: () => Promise.reject(new Error("listener")) as never }) },
  };

  it.each(Object.keys(throwing))("that throws %s costs no call, and is told of once", async (where) => {
    const lines: string[] = [];
    const log = (_fields: object, message?: string) => void lines.push(message ?? "");
    const contract = createContract({ logger: { info: log, warn: log, error: log }, logLevel: "warn" });
    let runs = 0;
    const server = contract.server(new McpServer({ name: "t", version: "1.0.0" }));
    server.registerTool("t", { description: "T" }, () => ({ run: ++runs }));
    const stop = contract.onCall(throwing[where] ?? {});
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "c", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const { structuredContent } = await client.callTool({ name: "t" });
    expect(structuredContent).toMatchObject({ success: true, data: { run: 1 } });
    await expect.poll(() => new Set(lines)).toEqual(new Set(["observe-failed"]));
    stop();
    lines.splice(0);
    await client.callTool({ name: "t" });
    expect(lines).toEqual([]);
    await client.close();
  });

  it("that wraps a call late, or twice, does not run it again or change its result", async () => {
    const made = events();
    let runs = 0;
    const late = async (run: () => unknown) => {
      await Promise.resolve();
      run();
      return "other";
    };
    made.listen({ start: () => ({ around: late as never }) });
    const run = () => Promise.resolve((runs += 1));
    expect(
      await observe(
        made,

        () => call,
        run,
        () => facts,
      ),
    ).toBe(1);
    expect(runs).toBe(1);
  });

  it("that waits for a call that rejects is not blamed for it", async () => {
    const made = events();
    made.listen({ start: () => ({ around: (async (run: () => unknown) => await run()) as never }) });
    const rejects = () => Promise.reject(new Error("the call's own"));
    await expect(
      observe(
        made,

        () => call,
        rejects,
        () => facts,
      ),
    ).rejects.toThrow("the call's own");
    expect(failures).toEqual([]);
  });
});

describe("spans and metrics", () => {
  it("are on while an OpenTelemetry SDK is registered, and off when it is turned off again", () => {
    const { isOn } = openTelemetryListener("test");
    listen();
    expect(isOn?.()).toBe(true);
    stopListening();
    expect(isOn?.()).toBe(false);
  });
});
