import { describe, expect, it } from "vitest";
import { browse } from "./authorization-server.fixture.ts";
import { openWorld } from "./oauth-world.fixture.ts";

describe.each(["legacy", "modern"] as const)("a gateway on stdio before a server of the %s era", (era) => {
  it("first sign-in", async () => {
    const world = await openWorld(era);
    const gateway = await world.connect();
    expect(await gateway.tools()).toEqual(["guarded_sign_in"]);
    const refused = await gateway.call("guarded_sign_in");
    expect((await browse(refused.address ?? "")).text).toContain("You are signed in.");
    expect((await gateway.call("read")).text).toBe("read by ada");
  }, 60_000);
});
