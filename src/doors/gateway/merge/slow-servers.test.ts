import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Link } from "../../../engine/transport/link.ts";
import { connectTo, namesOf, openMerge, smallServer, type SmallServer } from "./merge.fixture.ts";
import { KnownLists } from "./known-lists.ts";
import { SlowServers } from "./slow-servers.ts";

const failed = (): void => undefined;

/** Servers, one of which takes messages and answers nothing while it hangs; a list would wait for a minute. */
function withHanging(tools: readonly string[]) {
  const web = smallServer("web", { tools: ["search"] });
  const stuck = smallServer("stuck", { tools });
  let isHanging = true;
  const sent: (() => void)[] = [];
  const hang = (link: Link): Link => {
    const send = link.send.bind(link);
    link.send = (message) => {
      if (isHanging) sent.push(() => send(message));
      else send(message);
    };
    return link;
  };
  const hanging: SmallServer = {
    ...stuck,
    upstream: { ...stuck.upstream, connect: (...given) => hang(stuck.upstream.connect(...given)) },
  };
  const goOn = (): void => {
    isHanging = false;
    for (const each of sent.splice(0)) each();
  };
  return { servers: [web, hanging], goOn };
}

describe.each(["legacy", "modern"] as const)("a server that hangs, beside others, in the %s era", (era) => {
  it("keeps back neither the greeting nor the second list", { timeout: 15_000 }, async () => {
    const { servers, goOn } = withHanging(["dig"]);
    const { url } = await openMerge(servers, { listMs: 7_000 });
    const client = await connectTo(url, era);
    // The first list waits; two more would outlast this test if they did.
    for (let list = 0; list < 3; list++)
      expect(await namesOf(client)).toEqual(["search", "waybill_retrieve"]);
    goOn();
    await vi.waitFor(async () => expect(await namesOf(client)).toContain("dig"), { timeout: 3_000 });
  });
});

describe("the time that lists give a server", () => {
  it("is short after one waited in vain, until the server answers; that is told if it was left out", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let recovered = 0;
    const slow = new SlowServers({ recovered: () => (recovered += 1) });
    const { source, state } = smallServer("web", { tools: [] });
    const { name, options } = source;
    const server = { name, options, state, known: new KnownLists(options, { folder: undefined, failed }) };
    const first = slow.wait(server, new Promise<string>(() => undefined));
    await vi.advanceTimersByTimeAsync(20_000);
    expect([await first, slow.isSlow(server)]).toEqual([undefined, true]);
    let answer: (said: string) => void = () => undefined;
    const second = slow.wait(server, new Promise<string>((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await second, recovered]).toEqual([undefined, 0]);
    answer("late");
    await vi.advanceTimersByTimeAsync(0);
    expect([slow.isSlow(server), recovered]).toEqual([false, 1]);
    expect(await slow.wait(server, Promise.resolve("at once"))).toBe("at once");
    expect(recovered).toBe(1);
  });
});
