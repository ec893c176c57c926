import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseRedisUrl } from "./redis-address.ts";
import { importRedis } from "./redis-package.ts";

describe("parseRedisUrl", () => {
  it.each([
    ["redis://cache", "redis://cache:6379", "redis://cache:6379"],
    ["redis://cache:7000/2", "redis://cache:7000/2", "redis://cache:7000/2"],
    [
      "rediss://ann:s3cret@cache/",
      "rediss://ann:s3cret@cache:6379",
      "rediss://cache:6379",
    ],
    ["redis://:p%40ss@cache:1", "redis://:p%40ss@cache:1", "redis://cache:1"],
    ["valkey://cache", "redis://cache:6379", "redis://cache:6379"],
    ["valkeys://cache:1/0", "rediss://cache:1/0", "rediss://cache:1/0"],
    ["redis://[::1]:6380", "redis://[::1]:6380", "redis://[::1]:6380"],
    [
      "redis://cache?password=s3cret",
      "redis://cache:6379",
      "redis://cache:6379",
    ],
  ])("reads %s", (text, url, location) => {
    expect(parseRedisUrl(text)).toEqual({ url, location, isCluster: false });
  });

  it("reads the address of a cluster's node", () => {
    expect(parseRedisUrl("rediss://ann:s3cret@cache/0?cluster=true")).toEqual({
      url: "rediss://ann:s3cret@cache:6379",
      location: "rediss://cache:6379",
      isCluster: true,
    });
    expect(parseRedisUrl("redis://cache?cluster=false").isCluster).toBe(false);
  });

  it.each([
    "",
    "cache:6379",
    "http://ann:s3cret@cache",
    "redis://",
    "redis:ann:s3cret@cache",
    "redis://ann:s3cret@cache/two",
    "redis://ann:s3cret@cache:99999",
    "redis://ann:s3cret@cache/2?cluster=true",
  ])("refuses %j without repeating it", (text) => {
    let error: unknown;
    try {
      parseRedisUrl(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    expect(inspect(error, { depth: 9 })).not.toContain("s3cret");
  });
});

describe("the package for Redis", () => {
  it("that is missing is told in one sentence, without a stack", async () => {
    const missing = Object.assign(new Error("Cannot find package"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    const error: unknown = await importRedis(() =>
      Promise.reject(missing)
    ).catch((thrown: unknown) => thrown);
    const message =
      "A Redis store needs the package @redis/client, which is not installed: run `npm i @redis/client`.";
    expect(error).toMatchObject({
      message,
      stack: `ContractError: ${message}`,
    });
    expect((error as Error).cause).toBeUndefined();
  });
});
