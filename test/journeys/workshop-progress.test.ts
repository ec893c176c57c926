import { afterAll, describe, expect, it, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { clientKinds } from "./clients/connect-client.ts";
import { Connections, HttpWorkshops, transports } from "./clients/open-workshop.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const http = new HttpWorkshops();
afterAll(() => http.stop());

describe.runIf(isFullRun).each(transports)("over %s", (transport) => {
  describe.each(someOf(clientKinds, 1))("client $version in the $era era", (kind) => {
    const connections = new Connections(kind, transport, http);
    afterAll(() => connections.close());

    it("hears the progress of a call, in order, and then its result", async () => {
      const client = await connections.to({});
      const heard: number[] = [];
      const result = await client.call(
        { name: "research", arguments: { action: "survey", pause_ms: 10 } },
        { onprogress: ({ progress, total }) => heard.push(progress, total ?? 0) },
      );
      expect(result["isError"]).toBeUndefined();
      // SDK v2 drops a notification that arrives together with the result, so the last one may be missing.
      const counts = heard.filter((_, index) => index % 2 === 0);
      expect(counts.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(new Set(heard.filter((_, index) => index % 2 === 1))).toEqual(new Set([10]));
    });

    it("is answered all the same when it did not ask for progress", async () => {
      const client = await connections.to({});
      const result = await client.call({ name: "research", arguments: { action: "survey" } });
      expect(result["isError"]).toBeUndefined();
    });

    // In the legacy era over HTTP without sessions a cancellation is a request of its own, to a server object of its
    // own: only the client's side of the call ends. The modern era closes the call's stream instead.
    const isHeardByServer = transport !== "http" || kind.era === "modern";
    const what = isHeardByServer ? "the server stops working on them" : "the server works on to the end";
    it(`can cancel calls, and ${what}`, async () => {
      const client = await connections.to({});
      const controller = new AbortController();
      // Nine pauses: nine minutes, unless the server hears that no caller waits; three seconds where it does not hear it.
      const pause_ms = isHeardByServer ? 60_000 : 300;
      const survey = { name: "research", arguments: { action: "survey", pause_ms } };
      let tell = (): void => {};
      const isHeard = new Promise<void>((resolve) => {
        tell = resolve;
      });
      let heard = 0;
      const calls = Array.from({ length: 4 }, () =>
        client.call(survey, {
          signal: controller.signal,
          onprogress: () => {
            heard += 1;
            if (heard === 4) tell();
          },
        }),
      );
      const settled = Promise.allSettled(calls);
      await isHeard;
      const search = { name: "research", arguments: { action: "search", query: "" } };
      expect(await client.call(search)).toMatchObject({ isError: true });
      controller.abort();
      expect((await settled).map(({ status }) => status)).toEqual(
        Array.from({ length: 4 }, () => "rejected"),
      );
      // Four at once is what the tool allows: the next call passes only if the server let the others go.
      const limit = { timeout: 120_000, interval: 50 };
      const first = isHeardByServer ? true : (await client.call(search))["isError"];
      expect(first).toBe(true);
      await vi.waitFor(async () => expect((await client.call(search))["isError"]).toBeUndefined(), limit);
    });
  });
});
