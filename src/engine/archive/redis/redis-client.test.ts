import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { checkStoreSpec } from "../open-store.ts";
import { parseRedisUrl } from "./redis-address.ts";
import { importRedis } from "./redis-package.ts";
import { packageProblem } from "../store-package.ts";

describe("parseRedisUrl", () => {
  it.each([
    ["redis://cache", "redis://cache:6379", "redis://cache:6379"],
    ["redis://cache:7000/2", "redis://cache:7000/2", "redis://cache:7000/2"],
    ["rediss://ann:s3cret@cache/", "rediss://ann:s3cret@cache:6379", "rediss://cache:6379"],
    ["redis://:p%40ss@cache:1", "redis://:p%40ss@cache:1", "redis://cache:1"],
    ["valkey://cache", "redis://cache:6379", "redis://cache:6379"],
    ["valkeys://cache:1/0", "rediss://cache:1/0", "rediss://cache:1/0"],
    ["redis://[::1]:6380", "redis://[::1]:6380", "redis://[::1]:6380"],
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
    "redis://cache?password=s3cret",
    "redis://cache?cluster=s3cret",
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

describe("the query of a Redis address", () => {
  it("says how long and how much is kept, and what keys begin with", () => {
    const { ttlMs, maxBytes, prefix } = parseRedisUrl("redis://cache/0?ttl=1d&maxBytes=5000&prefix=team");
    expect({ ttlMs, maxBytes, prefix }).toEqual({ ttlMs: 86_400_000, maxBytes: 5_000, prefix: "team" });
  });

  it.each([
    ["?tll=1d", 'The Redis URL has the unknown parameter "tll". Allowed: cluster, ttl, maxBytes, prefix.'],
    [
      "?ttl=1",
      "The parameter ttl of the Redis URL cannot be used. Write a number with a unit, such as 12h or 1d.",
    ],
    [
      "?maxBytes=1e6",
      "The parameter maxBytes of the Redis URL cannot be used. Write a whole number of bytes above 0.",
    ],
    ["?ttl=1d&ttl=2d", "The Redis URL says ttl twice. Keep one."],
  ])("that says %s is refused", (query, message) => {
    expect(() => parseRedisUrl(`redis://cache${query}`)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message }),
    );
    expect(() => checkStoreSpec(`redis://cache${query}`)).toThrow(message);
  });
});

describe("the package for Redis", () => {
  it("that is missing is found out before it is loaded", () => {
    expect(packageProblem("redis", () => false)).toBe(
      "needs the package @redis/client, which is not installed: run `npm i @redis/client`.",
    );
    expect(packageProblem("redis")).toBeUndefined();
  });

  it("that is missing is told in one sentence, without a stack", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const error: unknown = await importRedis(() => Promise.reject(missing)).catch(
      (thrown: unknown) => thrown,
    );
    const message =
      "A Redis store needs the package @redis/client, which is not installed: run `npm i @redis/client`.";
    expect(error).toMatchObject({ message, stack: `ContractError: ${message}` });
    expect((error as Error).cause).toBeUndefined();
  });
});
