import { describe, expect, it } from "vitest";
import { asyncScope } from "./async-scope.ts";
import { builtIn, neededBuiltIn } from "./built-in.ts";
import { edgeRuntime } from "./edge-runtime.ts";
import { randomBase64url, randomHex } from "./random-text.ts";

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));

describe("edgeRuntime", () => {
  it("takes Node, Bun and Deno for servers, and names every other runtime", () => {
    expect(edgeRuntime()).toBeUndefined();
    const workers = { userAgent: "Cloudflare-Workers" };
    expect(edgeRuntime({ navigator: workers, process: { versions: { node: "22.0.0" } } })).toBe(
      "Cloudflare Workers",
    );
    expect(edgeRuntime({ EdgeRuntime: "edge-runtime" })).toBe("an edge runtime");
    expect(edgeRuntime({})).toBe("a runtime without Node");
  });
});

describe("builtIn", () => {
  it("gives Node's module here, and says what is missing where it cannot", () => {
    expect(builtIn("node:path")?.basename("/a/b")).toBe("b");
    expect(() => neededBuiltIn("node:nothing" as "node:path")).toThrow(
      "node:nothing is not there: this part of Waybill needs Node.",
    );
  });
});

describe("asyncScope", () => {
  it("follows a call through its waits where Node's scopes are there", async () => {
    const scope = asyncScope<string>();
    const seen = await scope.run("a", async () => {
      await pause();
      return scope.getStore();
    });
    expect(seen).toBe("a");
  });

  it("knows nothing behind a wait elsewhere, and never another call's value", async () => {
    const scope = asyncScope<string>(null);
    const call = (name: string): Promise<readonly unknown[]> =>
      scope.run(name, async () => {
        const before = [scope.getStore(), scope.run("inner", () => scope.getStore()), scope.getStore()];
        await pause();
        return [...before, scope.getStore()];
      });
    const [first, second] = await Promise.all([call("a"), call("b")]);
    expect(first).toEqual(["a", "inner", "a", undefined]);
    expect(second).toEqual(["b", "inner", "b", undefined]);
  });
});

describe("random texts", () => {
  it("have the length of their bytes, and differ", () => {
    expect(randomHex(12)).toMatch(/^[0-9a-f]{24}$/);
    expect(randomBase64url(32)).toMatch(/^[\w-]{43}$/);
    expect(randomHex(12)).not.toBe(randomHex(12));
  });
});
