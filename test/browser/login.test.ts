import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type World, openWorld } from "../journeys/oauth-world.fixture.ts";
import { type Browser, hasChromium, openChromium } from "../services/chromium.fixture.ts";
import { openTab, problemsAtEverySize } from "./dashboard/dashboard-page.fixture.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const PASSWORD = "a password that any server would take";

/** What stands for the user's browser in the environment of a command: it writes down what it is to open. */
function noteOpened(world: World): () => string | undefined {
  const [program, noted] = [join(world.home, "browser.sh"), join(world.home, "opened")];
  mkdirSync(world.home, { recursive: true });
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$1" > '${noted}.part' && mv '${noted}.part' '${noted}'\n`,
  );
  chmodSync(program, 0o700);
  world.env["BROWSER"] = program;
  return () => (existsSync(noted) ? readFileSync(noted, "utf8").trim() : undefined);
}

describe.skipIf(!hasChromium() || !isFullRun)("waybill login, with Chromium as the browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it("opens it on the pages of the authorization server, which lead back to a page that says one is in", async () => {
    const world = await openWorld("modern", { hasPages: true });
    const opened = noteOpened(world);
    const login = world.run(["login", world.server.url]);
    const address = await vi.waitUntil(opened, WAIT);
    const { tab, complaints } = await openTab(browser.context);
    tab.setDefaultTimeout(WAIT.timeout);
    await tab.goto(address);
    await tab.getByPlaceholder("Enter any login").fill("ada");
    await tab.getByPlaceholder("and password").fill(PASSWORD);
    await tab.getByRole("button", { name: "Sign-in" }).click();
    await tab.getByRole("button", { name: "Continue" }).click();
    await tab.getByText("You are signed in.").waitFor();
    expect(new URL(tab.url()).hostname).toBe("127.0.0.1");
    expect(new URL(tab.url()).pathname).toBe("/callback");
    const { code, stdout } = await login;
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Signed in to ${world.server.url}.`)]);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    expect(complaints).toEqual([]);
    const gateway = await world.connect();
    expect((await gateway.call("read")).text).toBe("read by ada");
    await gateway.close();
    expect(world.leaks()).toEqual([]);
    await tab.close();
  });
});
