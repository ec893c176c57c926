// A call that asked for progress, and whose server is silent.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";
import type { BridgeOptions } from "./bridge-options.ts";
import { bridgeTo, serving } from "./bridge.fixture.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const modern = '"io.modelcontextprotocol/protocolVersion":"2026-07-28",';
const callOf = (era: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{},"_meta":{${era}"progressToken":"p"}}}`;

/** A call that the server has, and has not answered. */
async function silentCall(
  options: Partial<BridgeOptions> = {},
  contract: ContractOptions = {},
  era: string = "",
) {
  const opened = bridgeTo(
    (message, raw) => (message["method"] === "tools/list" ? serving("{}")(message, raw) : undefined),
    contract,
    options,
  );
  const { client, server } = opened;
  client.send(callOf(era));
  await until(() => server.heardRaw.some((raw) => raw.includes("tools/call")));
  const wait = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    await turns(5);
  };
  const values = (): unknown[] =>
    client.heard.map((message) => (message as { params?: { progress?: number } }).params?.progress);
  const heardAnswer = (): string | undefined => client.heardRaw.find((raw) => raw.includes('"id":1'));
  return { ...opened, wait, values, heardAnswer };
}

const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}]}}';
const progress = (value: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":${value}}}`;

describe("a silent call", () => {
  it.each([
    ["legacy", ""],
    ["modern", modern],
  ])("of the %s era is said to run every 15 seconds until it is answered", async (_era, meta) => {
    const { server, client, wait, values } = await silentCall({}, {}, meta);
    await wait(45_000);
    expect(values()).toEqual([0.001, 0.002, 0.003]);
    expect(client.heardRaw.at(-1)).toContain('"progressToken":"p"');
    expect(client.heardRaw.at(-1)).toContain("still running, 45 s");
    server.send(answer);
    await until(() => client.heard.length === 4);
    await wait(60_000);
    expect(client.heard).toHaveLength(4);
  });

  it("goes on with the server's own values, lifted where they are behind", async () => {
    const { server, client, wait, values } = await silentCall();
    await wait(15_000);
    server.send(progress(0));
    server.send(progress(7));
    await until(() => client.heard.length === 3);
    await wait(15_000);
    expect(values()).toEqual([0.001, 0.002, 7, 7.001]);
    expect(client.heardRaw[2]).toBe(progress(7));
  });

  it("takes another interval, or none", async () => {
    const often = await silentCall({ progressEveryMs: 1_000 });
    await often.wait(3_000);
    expect(often.values()).toHaveLength(3);
    const never = await silentCall({ progressEveryMs: "off" });
    await never.wait(900_000);
    expect(never.client.heard).toEqual([]);
    never.server.send(progress(0));
    await until(() => never.client.heard.length === 1);
    expect(never.client.heardRaw).toEqual([progress(0)]);
  });

  it("is answered at once when the server is gone, and it is unknown whether it was run", async () => {
    const { client, wait, tell, heardAnswer } = await silentCall();
    await wait(20_000);
    tell((listener) =>
      listener.interrupted?.({ reason: "the server stopped (exit code 1)", retryInMs: 900 }),
    );
    await until(() => heardAnswer() !== undefined);
    expect(heardAnswer()).toMatch(/"executed":"unknown"/);
    expect(heardAnswer()).toMatch(/"remediation":"Check first whether the call took effect/);
    await wait(60_000);
    expect(client.heard).toHaveLength(2);
  });

  it("ends after ten minutes with TIMEOUT, and the server hears that the call is over", async () => {
    const { server, wait, heardAnswer, values } = await silentCall();
    await wait(599_000);
    expect(heardAnswer()).toBeUndefined();
    await wait(1_000);
    await until(() => heardAnswer() !== undefined);
    expect(heardAnswer()).toMatch(/"error_code":"TIMEOUT"/);
    expect(heardAnswer()).toMatch(/"executed":"unknown"/);
    expect(heardAnswer()).toMatch(/"remediation":"Check first whether the call took effect/);
    expect(server.heardRaw.at(-1)).toMatch(/notifications\/cancelled.*"requestId":1\b/);
    const said = values().length;
    await wait(60_000);
    expect(values()).toHaveLength(said);
  });

  it("ends with the time limit of its tool, be it longer or shorter", async () => {
    for (const timeoutMs of [20_000, 900_000]) {
      const { wait, heardAnswer } = await silentCall({}, { toolSettings: { add: { timeoutMs } } });
      await wait(timeoutMs - 1_000);
      expect(heardAnswer()).toBeUndefined();
      await wait(1_000);
      await until(() => heardAnswer() !== undefined);
      expect(heardAnswer()).toMatch(/"error_code":"TIMEOUT"/);
      expect(heardAnswer()).toMatch(/"executed":"unknown"/);
      expect(heardAnswer()).toMatch(/"remediation":"Check first whether the call took effect/);
    }
  });

  it("is silent after its client has cancelled it", async () => {
    const { client, wait } = await silentCall();
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    await turns(5);
    await wait(60_000);
    expect(client.heard).toEqual([]);
  });
});
