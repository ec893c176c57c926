import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { type Login, isEnding, loginName, loginUrl } from "./login.ts";
import { LoginStore } from "./login-store.ts";
import { UnreadableLogin, openSeal } from "./sealed-text.ts";

const none = () => Promise.resolve(undefined);
const key = { url: "https://a.example/mcp", caller: "" };
const login: Login = {
  ...key,
  authorizationServer: "https://as.example",
  issuer: "https://as.example",
  client: { id: "c", isRegistered: true },
  tokens: { access: "access", refresh: "refresh", gotAtMs: 1 },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "waybill-logins-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("LoginStore", () => {
  it("keeps a login in a file of its owner alone, and lists it", async () => {
    const path = join(folder(), "logins");
    const store = new LoginStore(path, openSeal(undefined, none));
    expect(await store.read(key)).toBeUndefined();
    await store.write(login);
    expect(await store.read(key)).toEqual(login);
    expect(readdirSync(path)).toEqual([`${loginName(key)}.json`]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, `${loginName(key)}.json`)).mode & 0o777).toBe(0o600);
    expect(await store.list()).toEqual([{ ...key, by: "nothing", login, problem: undefined }]);
    expect([await store.remove(key), await store.remove(key)]).toEqual([true, false]);
  });

  it("says of every damaged file that it cannot be read, and lists the others", async () => {
    const path = folder();
    const store = new LoginStore(path, openSeal(undefined, none));
    const other = { ...login, url: "https://b.example/mcp" };
    await store.write(other);
    const damaged = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record({
          by: fc.constantFrom("nothing", "secret", "keyring", "x"),
          text: fc.oneof(fc.string(), fc.json()),
        })
        .map((sealed) => Buffer.from(JSON.stringify({ version: 1, ...key, sealed }))),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        writeFileSync(join(path, `${loginName(key)}.json`), bytes);
        await expect(store.read(key)).rejects.toThrow(UnreadableLogin);
        expect((await store.list()).filter((kept) => kept.login !== undefined)).toHaveLength(1);
      }),
      lawRuns(1_000),
    );
  });
});

describe("a login", () => {
  it("belongs to one server and one caller, however the address is spelt", () => {
    expect(loginUrl("HTTPS://me:pw@A.example:443/mcp#x")).toBe("https://a.example/mcp");
    const names = [key, { ...key, caller: "ada" }, { ...key, url: "https://a.example/" }].map(loginName);
    expect(new Set(names).size).toBe(3);
  });

  it("is renewed in the last fifth of its life, at most a minute before its end", () => {
    const lives = fc.integer({ min: 1, max: 100_000_000 });
    fc.assert(
      fc.property(lives, fc.nat(100_000_000), (life, nowMs) => {
        const left = life - nowMs;
        const tokens = { access: "a", gotAtMs: 0, expiresAtMs: life };
        expect(isEnding(tokens, nowMs)).toBe(left <= 60_000 && left <= life / 5);
      }),
      lawRuns(1_000),
    );
    expect(isEnding({ access: "a", gotAtMs: 0 }, 1e15)).toBe(false);
  });
});
