import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

interface Options {
  readonly linux?: { readonly store?: string };
}

/** A keyring that does what a test wants; what it keeps lasts over restarts of the program. */
class Keyring {
  kept: string | null = null;
  hasSecretService = true;
  read = (): Promise<string | null> => Promise.resolve(this.kept);
  written = 0;

  /** The package with this keyring behind it. */
  module() {
    const read = (): Promise<string | null> => this.read();
    const write = (password: string): void => {
      this.written++;
      this.kept = password;
    };
    const has = (store: string | undefined): boolean => store !== "secret-service" || this.hasSecretService;
    class AsyncEntry {
      constructor(_service: string, _name: string, { linux }: Options = {}) {
        if (!has(linux?.store)) throw new Error("no Secret Service");
      }

      getPassword(): Promise<string | null> {
        return read();
      }

      async setPassword(password: string): Promise<void> {
        write(password);
      }
    }
    return { AsyncEntry };
  }
}

/** As in a program that was just started. */
async function startedSeal() {
  vi.resetModules();
  return (await import("./sealed-text.ts")).openSeal(undefined);
}

let keyring: Keyring;

beforeEach(() => {
  keyring = new Keyring();
  vi.doMock("@napi-rs/keyring", () => keyring.module());
  vi.stubEnv("WAYBILL_KEYRING", "");
});

afterEach(() => {
  vi.doUnmock("@napi-rs/keyring");
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe("the key in the system's keyring", () => {
  it("is made once, by the program that writes first, and read by later programs", async () => {
    const seal = await startedSeal();
    const sealed = await Promise.all([seal.close("one", "a"), seal.close("two", "a")]);
    expect(sealed.map(({ by }) => by)).toEqual(["keyring", "keyring"]);
    expect(keyring.written).toBe(1);
    const later = await startedSeal();
    expect(await Promise.all(sealed.map((each) => later.open(each, "a")))).toEqual(["one", "two"]);
  });

  it("is not given to the kernel where there is no Secret Service", async () => {
    keyring.hasSecretService = false;
    expect(await (await startedSeal()).by()).toBe("nothing");
    expect(keyring.written).toBe(0);
  });

  it("is not replaced where the keyring was locked when it was asked", async () => {
    const sealed = await (await startedSeal()).close("kept", "a");
    keyring.read = () => Promise.reject(new Error("the prompt was dismissed"));
    const seal = await startedSeal();
    expect(await seal.by()).toBe("nothing");
    await expect(seal.open(sealed, "a")).rejects.toThrow("which is not there");
    keyring.read = () => Promise.resolve(keyring.kept);
    expect(await (await startedSeal()).open(sealed, "a")).toBe("kept");
    expect(keyring.written).toBe(1);
  });

  it("is given up where the keyring asks a person who is not there", async () => {
    keyring.read = () => new Promise(() => undefined);
    const seal = await startedSeal();
    vi.useFakeTimers();
    const by = seal.by();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await by).toBe("nothing");
  });
});
