import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { browse } from "./authorization-server.fixture.ts";
import { openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;
const TOOLS = ["read", "write", "large"];

it(
  "signs in to a server of HTTP+SSE at the address that the first call gives, and greets it then",
  async () => {
    const world = await openWorld("legacy", { isOldServer: true });
    const gateway = await world.connect();
    expect(await gateway.tools()).toEqual(["guarded_sign_in"]);
    const refused = await gateway.call("read");
    expect(refused.json).toContain("UNAUTHORIZED");
    expect((await browse(refused.address ?? "")).text).toContain("You are signed in.");
    expect((await gateway.call("read")).text).toBe("read by ada");
    expect((await gateway.call("large")).text).toContain("line 0 of the report");
    expect(await gateway.tools()).toEqual(TOOLS);
    await gateway.close();
    expect(world.authorization.secrets.size).toBeGreaterThan(0);
    expect(world.leaks()).toEqual([]);
  },
  TIMEOUT_MS,
);

it.runIf(isFullRun)(
  "shows a new token with the next message when the old one has expired, on the same stream",
  async () => {
    const world = await openWorld("legacy", { isOldServer: true, accessSeconds: 2 });
    expect((await world.login()).code).toBe(0);
    const gateway = await world.connect();
    expect((await gateway.call("read")).text).toBe("read by ada");
    await sleep(2_100);
    expect((await gateway.call("read")).text).toBe("read by ada");
    expect(world.server.shown[0]).not.toBe(world.server.shown.at(-1));
    await gateway.close();
    expect(world.authorization.secrets.size).toBeGreaterThan(0);
    expect(world.leaks()).toEqual([]);
  },
  TIMEOUT_MS,
);
