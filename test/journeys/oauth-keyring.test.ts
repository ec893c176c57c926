import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { hasKeyring, startKeyring } from "../services/keyring.fixture.ts";
import { type World, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;
const inKeyring = "encrypted with a key in the system's keyring";
const inFile = "not encrypted, readable for this user alone";

/** The secrets of the authorization server that stand in files of logins. */
function shownInLogins({ authorization }: World, texts: readonly string[]): string[] {
  return [...authorization.secrets].filter((secret) => secret !== "" && texts.join("\n").includes(secret));
}

// The commands and the gateway are processes of their own: each asks the keyring anew.
describe.runIf(isFullRun && hasKeyring())("a login beside a keyring", () => {
  it(
    "is encrypted with a key of it, and read by a gateway, a list and a sign-out",
    async () => {
      const keyring = await startKeyring();
      const world = await openWorld("modern", {
        env: { ...keyring, WAYBILL_KEYRING: "" },
      });
      const login = await world.login();
      expect([login.code, login.stdout]).toEqual([0, expect.stringContaining(inKeyring)]);
      const texts = world.loginFiles().map(({ text }) => text);
      expect(texts).toEqual([expect.stringContaining('"by":"keyring"')]);
      expect(shownInLogins(world, texts)).toEqual([]);
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(gateway.stderr()).not.toContain("sign-in-needed");
      await gateway.close();
      const { stdout } = await world.run(["logins"]);
      expect(stdout).toContain("signed in, renews itself");
      expect(stdout).toContain(inKeyring);
      world.env["WAYBILL_KEYRING"] = "off";
      expect((await world.run(["logins"])).stdout).toContain("a key of the keyring, which is not there");
      world.env["WAYBILL_KEYRING"] = "";
      expect((await world.run(["logout", world.server.url])).stdout).toContain("Signed out of");
      expect(world.loginFiles()).toEqual([]);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "is kept in a file alone where no Secret Service answers: the kernel forgets a key at the next start",
    async () => {
      const env = {
        DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus",
        WAYBILL_KEYRING: "",
      };
      const world = await openWorld("modern", { env });
      const login = await world.login();
      expect([login.code, login.stdout]).toEqual([0, expect.stringContaining(inFile)]);
      expect(world.loginFiles()).toEqual([expect.objectContaining({ mode: 0o600 })]);
    },
    TIMEOUT_MS,
  );

  it(
    "is kept in a file alone where the keyring is locked and stays so",
    async () => {
      const keyring = await startKeyring({ isLocked: true });
      const world = await openWorld("modern", {
        env: { ...keyring, WAYBILL_KEYRING: "" },
      });
      const login = await world.login();
      expect([login.code, login.stdout]).toEqual([0, expect.stringContaining(inFile)]);
    },
    TIMEOUT_MS,
  );
});
