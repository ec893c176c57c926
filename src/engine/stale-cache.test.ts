import { describe, expect, it } from "vitest";
import { staleCache } from "./stale-cache.ts";

describe("staleCache", () => {
  it.each([
    [0, "Cache data is 0 seconds old"],
    [1, "Cache data is 1 second old"],
    [119, "Cache data is 119 seconds old"],
    [120, "Cache data is 2 minutes old"],
    [7200, "Cache data is 2 hours old"],
    [172_800, "Cache data is 2 days old"],
  ])("says %d seconds as people do", (ageSeconds, message) => {
    expect(staleCache({ ageSeconds, maxFreshnessSeconds: 60 }).message).toBe(message);
  });

  it("has the context keys of seed 001", () => {
    expect(staleCache({ ageSeconds: 7200, maxFreshnessSeconds: 3600 })).toEqual({
      code: "STALE_CACHE",
      severity: "warning",
      message: "Cache data is 2 hours old",
      context: { cache_age_seconds: 7200, max_freshness_seconds: 3600 },
    });
  });
});
