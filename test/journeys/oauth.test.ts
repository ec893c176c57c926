import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { Era } from "./attach-clients.fixture.ts";
import { browse } from "./authorization-server.fixture.ts";
import { type World, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;
const TOOLS = ["read", "write", "large"];

const refreshes = ({ authorization }: World): number =>
  authorization.asked.filter((asked) => asked === "/token refresh_token").length;
const registrations = ({ authorization }: World): number =>
  authorization.asked.filter((asked) => asked === "/reg").length;

/** Signs in at the address that a failed call gives, and calls again. */
async function signInByCall(world: World, name: string): Promise<void> {
  const gateway = await world.connect();
  const refused = await gateway.call(name);
  expect(refused.json).toContain("UNAUTHORIZED");
  expect((await browse(refused.address ?? "")).text).toContain("You are signed in.");
  expect((await gateway.call("read")).text).toBe("read by ada");
  await gateway.close();
}

type Journey = (era: Era) => Promise<World>;

/** The way of a user through each of these, at a real authorization server; each gives its world, to be searched. */
const journeys: Readonly<Record<string, Journey>> = {
  "first sign-in": async (era) => {
    const world = await openWorld(era);
    const gateway = await world.connect();
    expect(await gateway.tools()).toEqual(["guarded_sign_in"]);
    const refused = await gateway.call("guarded_sign_in");
    expect(refused.isError).toBe(true);
    expect(refused.json).toContain("UNAUTHORIZED");
    const { text, addresses } = await browse(refused.address ?? "");
    expect(text).toContain("You are signed in.");
    const asked = new URL(addresses[1] ?? "").searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("resource")).toBe(world.server.url);
    expect((await gateway.call("read")).text).toBe("read by ada");
    expect((await gateway.call("large")).text).toContain("line 0 of the report");
    expect(await gateway.tools()).toEqual(TOOLS);
    expect(world.loginFiles().map(({ mode }) => mode)).toEqual([0o600]);
    await gateway.close();
    return world;
  },

  restart: async (era) => {
    const world = await openWorld(era);
    await signInByCall(world, "read");
    const again = await world.connect();
    expect(await again.tools()).toEqual(TOOLS);
    expect((await again.call("read")).text).toBe("read by ada");
    expect(again.stderr()).not.toContain("sign-in-needed");
    expect(new Set(world.server.shown).size).toBe(1);
    await again.close();
    return world;
  },

  expiry: async (era) => {
    const world = await openWorld(era, { accessSeconds: 1 });
    expect((await world.login()).code).toBe(0);
    const gateway = await world.connect();
    expect((await gateway.call("read")).text).toBe("read by ada");
    await sleep(1_100);
    expect((await gateway.call("read")).text).toBe("read by ada");
    expect(refreshes(world)).toBeGreaterThanOrEqual(1);
    expect(world.server.shown[0]).not.toBe(world.server.shown.at(-1));
    await gateway.close();
    return world;
  },

  rotation: async (era) => {
    const world = await openWorld(era);
    await world.login();
    const gateway = await world.connect();
    const kept: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      expect((await gateway.call("read")).text).toBe("read by ada");
      kept.push(world.loginFiles()[0]?.text ?? "");
      // The server forgets the token before its time: it says 401, and the gateway renews once.
      const found = await world.authorization.provider.AccessToken.find(world.server.shown.at(-1) ?? "");
      await found?.destroy();
    }
    expect(new Set(kept).size).toBe(3);
    expect(new Set(world.server.shown).size).toBe(3);
    expect(refreshes(world)).toBe(2);
    const lines = await world.accessLines(3);
    expect(lines.map(({ tool, outcome, retries }) => [tool, outcome, retries])).toEqual([
      ["read", "success", undefined],
      ["read", "success", 1],
      ["read", "success", 1],
    ]);
    await gateway.close();
    return world;
  },

  revoked: async (era) => {
    const world = await openWorld(era);
    await signInByCall(world, "read");
    await world.authorization.revoke(world.server.shown[0] ?? "");
    const before = registrations(world);
    await signInByCall(world, "read");
    expect(registrations(world)).toBe(before);
    expect(new Set(world.server.shown).size).toBe(2);
    return world;
  },

  "wrong scope": async (era) => {
    const world = await openWorld(era);
    await world.login();
    const gateway = await world.connect();
    const refused = await gateway.call("write");
    expect(refused.json).toContain("UNAUTHORIZED");
    expect(refused.json).toContain("with more rights");
    expect((await gateway.call("read")).text).toBe("read by ada");
    const { addresses } = await browse(refused.address ?? "");
    expect(new URL(addresses[1] ?? "").searchParams.get("scope")?.split(" ")).toEqual(
      expect.arrayContaining(["read", "write"]),
    );
    expect((await gateway.call("write")).text).toBe("written by ada");
    expect((await gateway.call("read")).text).toBe("read by ada");
    await gateway.close();
    return world;
  },

  "two processes at once": async (era) => {
    const world = await openWorld(era, { accessSeconds: isFullRun ? 5 : 2 });
    await world.login();
    const gateways = await Promise.all([world.connect(), world.connect()]);
    const callAll = () => Promise.all(gateways.flatMap((one) => [one.call("read"), one.call("read")]));
    await callAll();
    const before = refreshes(world);
    await sleep(isFullRun ? 5_100 : 2_100);
    expect((await callAll()).map(({ text }) => text)).toEqual(Array.from({ length: 4 }, () => "read by ada"));
    expect(refreshes(world) - before).toBe(1);
    expect(new Set(world.server.shown.slice(-4)).size).toBe(1);
    await Promise.all(gateways.map((one) => one.close()));
    return world;
  },

  logout: async (era) => {
    const world = await openWorld(era);
    await world.login();
    const gateway = await world.connect();
    expect((await gateway.call("read")).text).toBe("read by ada");
    const [token = ""] = world.server.shown;
    const { stdout } = await world.run(["logout", world.server.url]);
    expect(stdout).toBe(`Signed out of ${world.server.url}.\n`);
    expect(world.loginFiles()).toEqual([]);
    expect(await world.authorization.provider.AccessToken.find(token)).toBeUndefined();
    await sleep(1_100);
    expect((await gateway.call("read")).json).toContain("UNAUTHORIZED");
    expect((await world.run(["logins"])).stdout).toContain("No login is kept.");
    await gateway.close();
    return world;
  },
};

/** In the quick run only these in the modern era: the others differ in nothing there but the form of messages. */
const alsoQuick = ["first sign-in", "rotation", "wrong scope"];

describe.each(["legacy", "modern"] as const)("a gateway on stdio before a server of the %s era", (era) => {
  const isTaken = (name: string): boolean => isFullRun || era === "legacy" || alsoQuick.includes(name);
  it.each(Object.entries(journeys).filter(([name]) => isTaken(name)))(
    "%s",
    async (_name, journey) => {
      const world = await journey(era);
      expect(world.authorization.secrets.size).toBeGreaterThan(0);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
