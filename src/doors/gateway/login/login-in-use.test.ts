import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Login } from "./login.ts";
import { LoginInUse } from "./login-in-use.ts";
import { LoginStore } from "./login-store.ts";
import { openSeal } from "./sealed-text.ts";

const key = { url: "https://a.example/mcp", caller: "" };
const loginWith = (access: string, gotAtMs: number): Login => ({
  ...key,
  authorizationServer: "https://as.example",
  issuer: "https://as.example",
  client: { id: "c", isRegistered: true },
  tokens: { access, refresh: `${access}-refresh`, gotAtMs },
});

/** A login in use; `lock` shuts the keyring, without which nothing is written. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), "login-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = randomBytes(32);
  let isLocked = false;
  const seal = openSeal(undefined, async () => {
    if (isLocked) throw new Error("The keyring is locked");
    return bytes;
  });
  const store = new LoginStore(folder, seal);
  const other = new LoginStore(
    folder,
    openSeal(undefined, async () => bytes),
  );
  const failures: unknown[] = [];
  const login = new LoginInUse({ key, store, unkept: (error) => failures.push(error) });
  const keep = (kept: Login): Promise<void> => login.alone(() => login.keep(kept));
  return { login, keep, other, failures, lock: (locks: boolean) => (isLocked = locks) };
}

const nothing = (): Promise<void> => Promise.resolve();

it("is written as soon as it can be, and the failure is told once", async () => {
  const { login, keep, other, failures, lock } = open();
  await keep(loginWith("first", 1));
  lock(true);
  await keep(loginWith("second", 2));
  await keep(loginWith("third", 3));
  expect(login.current?.tokens?.access).toBe("third");
  expect((await other.read(key))?.tokens?.access).toBe("first");
  expect(failures).toHaveLength(1);
  lock(false);
  await login.alone(nothing);
  expect((await other.read(key))?.tokens?.access).toBe("third");
  expect(login.isUnwritten).toBe(false);
});

it("is not lost to a process that knows only the tokens before", async () => {
  const { login, keep, other, lock } = open();
  await keep(loginWith("first", 1));
  lock(true);
  await keep(loginWith("second", 2));
  await other.write({ ...loginWith("first", 1), tokens: undefined });
  lock(false);
  await login.alone(nothing);
  expect((await other.read(key))?.tokens?.access).toBe("second");
});

it("gives way to a later sign-in, and to a sign-out", async () => {
  const { login, keep, other, lock } = open();
  await keep(loginWith("first", 1));
  lock(true);
  await keep(loginWith("second", 2));
  await other.write(loginWith("later", 3));
  lock(false);
  await login.alone(nothing);
  expect(login.current?.tokens?.access).toBe("later");
  lock(true);
  await keep(loginWith("fourth", 4));
  await other.remove(key);
  lock(false);
  await login.alone(nothing);
  expect([login.current, await other.read(key)]).toEqual([undefined, undefined]);
});

it("is changed by one at a time, also for a user without a home", async () => {
  const login = new LoginInUse({ key, store: undefined, unkept: () => undefined });
  const order: string[] = [];
  const change = (name: string) =>
    login.alone(async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    });
  await Promise.all([change("one"), change("two")]);
  expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});
