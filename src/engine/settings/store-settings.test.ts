import { describe, expect, it } from "vitest";
import { refusalOf } from "./refusal-of.fixture.ts";
import { resolveConfig, type CommandLine } from "./resolve-config.ts";
import { decideTool } from "./decide-tool.ts";
import { storeLimitsOf } from "./store-limits.ts";

const HOUR_MS = 3_600_000;

function settingsOf(file: object, environment: Record<string, string> = {}, commandLine: CommandLine = {}) {
  const waybill = { file: "w.json", text: JSON.stringify(file) };
  return resolveConfig({ waybill, environment, commandLine });
}

describe("the settings of the store", () => {
  it("are an address, or an object", () => {
    expect(settingsOf({ store: "./archive" }).settings.store).toEqual({ place: "./archive" });
    const { settings } = settingsOf({ store: { place: "./archive", ttl: "1d", max_bytes: 5_000 } });
    expect(settings.store).toEqual({ place: "./archive", ttl: "1d", maxBytes: 5_000 });
    expect(storeLimitsOf(settings)).toEqual({ ttlMs: 24 * HOUR_MS, maxBytes: 5_000 });
    expect(storeLimitsOf(settingsOf({}).settings)).toEqual({});
  });

  it("stand in the query of a Redis address too, and the same source's own keys beat it", () => {
    const address = "redis://ann:s3cret@cache/0?ttl=1d&maxBytes=5000&prefix=team";
    const { settings, origins } = settingsOf({ store: address });
    expect(settings.store).toEqual({
      place: "redis://ann:s3cret@cache/0?prefix=team",
      ttl: "1d",
      maxBytes: 5_000,
    });
    expect(JSON.stringify(origins)).not.toContain("s3cret");
    expect(settingsOf({ store: { ttl: "2h", place: address } }).settings.store?.ttl).toBe("2h");
  });

  it("stand in the query of a PostgreSQL address too", () => {
    const { settings, origins } = settingsOf({
      store: "postgres://ann:s3cret@db/archive?ttl=1d&sslmode=verify-full&maxBytes=5000",
    });
    expect(settings.store).toEqual({
      place: "postgres://ann:s3cret@db/archive?sslmode=verify-full",
      ttl: "1d",
      maxBytes: 5_000,
    });
    expect(JSON.stringify(origins)).not.toContain("s3cret");
  });

  it("are changed one by one by a stronger source", () => {
    const file = { store: { place: "./archive", ttl: "7d", max_bytes: 5_000 } };
    const byEnvironment = settingsOf(file, { WAYBILL_STORE_TTL: "1d", WAYBILL_STORE_MAX_BYTES: "9000" });
    expect(byEnvironment.settings.store).toEqual({ place: "./archive", ttl: "1d", maxBytes: 9_000 });
    const byLine = settingsOf(
      file,
      { WAYBILL_STORE_TTL: "1d" },
      { store: { place: "redis://cache?ttl=2h" } },
    );
    expect(byLine.settings.store).toEqual({ place: "redis://cache", ttl: "2h", maxBytes: 5_000 });
    expect(byLine.origins["store.ttl"]).toMatchObject({ source: "command-line" });
  });

  it.each([
    [{ store: { ttl: "1" } }, {}, 'Write a number with a unit (ms, s, m, h, d, w), such as "12h"'],
    [{ store: { ttl: "10ms" } }, {}, "from 1s to 36500d"],
    [{ store: { tll: "1d" } }, {}, "tll"],
    [{}, { WAYBILL_STORE_TTL: "soon" }, 'WAYBILL_STORE_TTL: "soon" is not a length of time.'],
    [{}, { WAYBILL_STORE_MAX_BYTES: "1g" }, "a whole number of bytes from 1"],
    [{}, { WAYBILL_ARCHIVE: "all" }, 'Unknown archive "all"'],
  ])("refuse %j with %j", (file, environment, says) => {
    expect(refusalOf(() => settingsOf(file, environment)).message).toContain(says);
  });
});

describe("what is kept of one tool", () => {
  it("is decided like its other settings", () => {
    const { settings } = settingsOf({
      archive: "off",
      store: { ttl: "7d" },
      tools: { mail: { archive: "cuts", store: { ttl: "1h" } } },
    });
    expect(decideTool(settings, "mail")).toMatchObject({ archive: "cuts", store: { ttl: "1h" } });
    expect(decideTool(settings, "other")).toMatchObject({ archive: "off", store: { ttl: "7d" } });
    const code = { tool: { archive: "off", store: { ttl: "2h" } } } as const;
    expect(decideTool(settingsOf({}).settings, "t", code)).toMatchObject(code.tool);
  });
});
