import { UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { browse } from "./authorization-server.fixture.ts";
import { openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 60_000;
const capabilities = { elicitation: { url: {} } };

describe("a client that can open an address for its user", () => {
  it(
    "is asked to by an error in the legacy era, and hears of the end",
    async () => {
      const world = await openWorld("legacy");
      const gateway = await world.connect(capabilities);
      const completed: string[] = [];
      gateway.client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
        completed.push(params.elicitationId);
      });
      const error: unknown = await gateway.call("read").catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(UrlElicitationRequiredError);
      const [elicitation] = (error as UrlElicitationRequiredError).elicitations;
      expect((await browse(elicitation?.url ?? "")).text).toContain("You are signed in.");
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(completed).toEqual([elicitation?.elicitationId]);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "is asked to by an unfinished result in the modern era, and its call then runs",
    async () => {
      const world = await openWorld("modern");
      const gateway = await world.connect(capabilities);
      const opened: Promise<unknown>[] = [];
      gateway.client.setRequestHandler("elicitation/create", ({ params }) => {
        // The user agrees, and is done a little later.
        if (params.mode === "url") opened.push(browse(params.url));
        return { action: "accept" };
      });
      expect((await gateway.call("read")).text).toBe("read by ada");
      await Promise.all(opened);
      expect(opened).toHaveLength(1);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "hears where to sign in if its user declines",
    async () => {
      const world = await openWorld("modern");
      const gateway = await world.connect(capabilities);
      gateway.client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
      const refused = await gateway.call("read");
      expect(refused.json).toContain("UNAUTHORIZED");
      expect(refused.address).toBeDefined();
    },
    TIMEOUT_MS,
  );
});
