import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Connected, type World, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;
/** How long the gateway does not show a token that the server has just refused. */
const PAUSE_MS = 10_000;
const WAIT = { timeout: 20_000, interval: 250 };

type Outage = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Answers what matches in place of the authorization server. */
const answers =
  (path: RegExp, status: number, body = ""): Outage =>
  ({ url = "" }, response) => {
    if (!path.test(url)) return false;
    response.writeHead(status, { "content-type": "text/html" }).end(body);
    return true;
  };

const METADATA = /^\/\.well-known\//;
const TOKEN = /^\/token/;

/** Ways in which an authorization server fails for a while. */
const outages: Readonly<Record<string, Outage>> = {
  "metadata with HTTP 500": answers(METADATA, 500),
  "metadata with HTTP 502": answers(METADATA, 502),
  "metadata with HTTP 503": answers(METADATA, 503, "<h1>Maintenance</h1>"),
  "metadata with HTTP 404": answers(METADATA, 404),
  "a page in place of metadata": answers(METADATA, 200, "<h1>Maintenance</h1>"),
  "tokens with HTTP 503": answers(TOKEN, 503),
  "a page in place of tokens": answers(TOKEN, 200, "<h1>Maintenance</h1>"),
  "a connection that ends": ({ url = "", socket }) => {
    if (TOKEN.test(url)) socket.destroy();
    return TOKEN.test(url);
  },
};

/** In the quick run only these: the others differ in nothing but a status. */
const alsoQuick = ["metadata with HTTP 503", "a page in place of tokens"];

interface Switched {
  readonly world: World;
  /** Undefined: the authorization server works. */
  readonly fail: (outage: Outage | undefined) => void;
  /** How many requests the failure met that is there now. */
  readonly met: () => number;
}

/** The sign-ins before what is shown run here: they are journeys of their own. */
async function openSwitched(): Promise<Switched> {
  let current: Outage | undefined;
  let met = 0;
  const beforeAuthorization: Outage = (request, response) => {
    const isMet = current?.(request, response) ?? false;
    if (isMet) met++;
    return isMet;
  };
  const world = await openWorld("legacy", { beforeAuthorization, here: ["login"] });
  expect((await world.login()).code).toBe(0);
  const fail = (outage: Outage | undefined): void => {
    current = outage;
    met = 0;
  };
  return { world, fail, met: () => met };
}

const consents = ({ authorization }: World): number =>
  authorization.asked.filter((asked) => asked === "/token authorization_code").length;

/** The MCP server forgets the last token before its time. */
async function forgetToken(world: World): Promise<void> {
  const found = await world.authorization.provider.AccessToken.find(world.server.shown.at(-1) ?? "");
  await found?.destroy();
}

/** From now on the kept tokens are at their end for whoever reads them; the server takes them nevertheless. */
function ageLogin(world: World): void {
  const [kept] = world.loginFiles();
  if (kept === undefined) throw new Error("There is no login");
  const file = JSON.parse(kept.text) as { sealed: { text: string } };
  const login = JSON.parse(file.sealed.text) as { tokens: { expiresAtMs: number } };
  login.tokens.expiresAtMs = Date.now();
  file.sealed.text = JSON.stringify(login);
  writeFileSync(kept.path, JSON.stringify(file));
}

async function readsAgain(gateway: Connected): Promise<void> {
  await vi.waitFor(async () => expect((await gateway.call("read")).text).toBe("read by ada"), WAIT);
}

/** A call while the authorization server fails in this way, and one after it. */
async function outlasts(gateway: Connected, { world, fail, met }: Switched, outage: Outage): Promise<void> {
  await forgetToken(world);
  const [before] = world.loginFiles();
  fail(outage);
  const failed = await gateway.call("read").then(
    ({ json }) => json,
    (error: Error) => error.message,
  );
  expect(failed).toContain("The login is kept");
  expect(failed).not.toContain("/sign-in");
  expect(met()).toBeGreaterThan(0);
  expect(world.loginFiles()).toEqual([before]);
  fail(undefined);
  await readsAgain(gateway);
  expect(world.loginFiles()).not.toEqual([before]);
}

describe("a login whose authorization server fails for a while", () => {
  it(
    "is kept through each failure, and renewed after it, by one gateway",
    async () => {
      const switched = await openSwitched();
      const { world } = switched;
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      for (const [name, outage] of Object.entries(outages)) {
        if (!isFullRun && !alsoQuick.includes(name)) continue;
        await outlasts(gateway, switched, outage).catch((cause: unknown) => {
          throw new Error(`Not through ${name}`, { cause });
        });
      }
      expect(consents(world)).toBe(1);
      await gateway.close();
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "serves calls while its tokens are good, though they cannot be renewed ahead of time",
    async () => {
      const { world, fail } = await openSwitched();
      ageLogin(world);
      const [before] = world.loginFiles();
      fail(answers(METADATA, 503));
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(new Set(world.server.shown).size).toBe(1);
      expect(world.loginFiles()).toEqual([before]);
      await gateway.close();
      expect(gateway.stderr()).toContain("login-not-renewed");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "is kept where the server refuses good tokens for a while",
    async () => {
      let isRefusing = false;
      // The clock of the gateway is moved past its pause, so that it runs here.
      const world = await openWorld("legacy", {
        here: ["login", "gateway"],
        beforeServer: ({ url }, response) => {
          const isRefused = isRefusing && url === "/mcp";
          if (isRefused) response.writeHead(401).end();
          return isRefused;
        },
      });
      await world.login();
      vi.useFakeTimers({ toFake: ["performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      isRefusing = true;
      expect((await gateway.call("read")).json).toContain("UNAUTHORIZED");
      isRefusing = false;
      expect((await gateway.call("read")).json).toContain("UNAUTHORIZED");
      vi.advanceTimersByTime(PAUSE_MS);
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(consents(world)).toBe(1);
      await gateway.close();
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** The longest path that Linux takes, without the zero at its end. */
const MAX_PATH = 4_095;
const MAX_PART = 200;

/**
 * Moves the logins into a folder where they can be read, and where a file whose name is longer than theirs by `room` cannot
 * be made: not by the superuser either, as on a full disk or one that is read-only.
 */
function moveWhereNothingFits(world: World, room: number): void {
  const from = join(world.home, "waybill", "logins");
  const [name = ""] = readdirSync(from);
  const wanted = MAX_PATH - room - `/waybill/logins/${name}`.length;
  let home = world.home;
  while (wanted - home.length > 2 * MAX_PART) home = join(home, "d".repeat(MAX_PART));
  const left = wanted - home.length;
  home = join(home, "d".repeat(Math.floor(left / 2) - 1));
  home = join(home, "d".repeat(wanted - home.length - 1));
  const to = join(home, "waybill", "logins");
  expect(join(to, name)).toHaveLength(MAX_PATH - room);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(join(from, name), join(to, name));
  world.env["XDG_STATE_HOME"] = home;
}

describe.runIf(process.platform === "linux")("a login that cannot be written", () => {
  it.each([
    ["the folder takes a lock, and no new file", ".lock".length],
    ["the folder takes nothing", 0],
  ])(
    "is renewed and used nevertheless where %s, and the log says so",
    async (_name, room) => {
      const world = await openWorld("legacy", { here: ["login"] });
      await world.login();
      moveWhereNothingFits(world, room);
      const gateway = await world.connect();
      for (let turn = 0; turn < 3; turn++) {
        expect((await gateway.call("read")).text).toBe("read by ada");
        await forgetToken(world);
      }
      expect(new Set(world.server.shown).size).toBe(3);
      expect(consents(world)).toBe(1);
      await gateway.close();
      expect(gateway.stderr()).toContain("login-not-kept");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
