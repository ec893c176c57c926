import { describe, expect, it } from "vitest";
import { createConcurrency, createToolBreaker, limitKey } from "./guard-set.ts";

describe("createConcurrency", () => {
  it("has room for the maximum and no more", () => {
    const room = createConcurrency(2);
    expect([room.enter(), room.enter(), room.enter()].map((release) => release === undefined)).toEqual([
      false,
      false,
      true,
    ]);
    expect(room.inFlight).toBe(2);
  });

  it("gives a place free when its holder leaves", () => {
    const room = createConcurrency(1);
    room.enter()?.();
    expect(room.inFlight).toBe(0);
    expect(room.enter()).toBeDefined();
  });

  it("counts a second leaving of one holder for nothing", () => {
    const room = createConcurrency(2);
    const release = room.enter();
    room.enter();
    release?.();
    release?.();
    expect(room.inFlight).toBe(1);
  });

  it.each([0, 1.5, Number.NaN])("refuses a maximum of %d", (max) => {
    expect(() => createConcurrency(max)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });
});

describe("createToolBreaker", () => {
  it("by default opens when half of at least five calls failed, for ten seconds", () => {
    const clock = { ms: 0 };
    const breaker = createToolBreaker({ now: () => clock.ms });
    for (const ok of [true, true, true, false, false, false]) {
      expect(breaker.state).toBe("closed");
      const entry = breaker.enter();
      if (entry.allowed) entry.done(ok);
    }
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it.each([{ failureShare: 1.1 }, { minimumCalls: 0 }, { windowMs: 0 }, { resetMs: Number.NaN }])(
    "refuses the options %j",
    (options) => {
      expect(() => createToolBreaker(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    },
  );
});

describe("limitKey", () => {
  it("takes the principal before the session, and the session before the local user", () => {
    const parts = { tool: "search", per: "tool" } as const;
    expect(limitKey({ ...parts, principal: "ann", session: "s1" })).toBe(
      '["tool","search","principal","ann"]',
    );
    expect(limitKey({ ...parts, session: "s1" })).toBe('["tool","search","session","s1"]');
    expect(limitKey(parts)).toBe('["tool","search","local"]');
  });

  it("takes the network a caller calls from before its session, which anybody can open anew", () => {
    const parts = { tool: "search", per: "client", network: "10.0.0.7" } as const;
    expect(limitKey({ ...parts, session: "s1" })).toBe('["client","network","10.0.0.7"]');
    expect(limitKey({ ...parts, principal: "ann" })).toBe('["client","principal","ann"]');
  });

  it("takes an empty principal or session for none", () => {
    expect(limitKey({ tool: "search", per: "tool", principal: "", session: "" })).toBe(
      '["tool","search","local"]',
    );
  });

  it("gives a client one key over all tools when the quota is per client", () => {
    const [one, two] = ["search", "fetch"].map((tool) => limitKey({ tool, per: "client", principal: "ann" }));
    expect(one).toBe(two);
  });

  it("keeps a principal apart from a session of the same name", () => {
    const principal = limitKey({ tool: "search", per: "tool", principal: "x" });
    expect(limitKey({ tool: "search", per: "tool", session: "x" })).not.toBe(principal);
  });

  it("keeps parts apart that would read the same when joined", () => {
    const one = limitKey({ tool: 'a","principal","b', per: "tool" });
    expect(limitKey({ tool: "a", principal: 'b","local', per: "tool" })).not.toBe(one);
  });

  it("is short for a long name, and still its own", () => {
    const keys = ["a", "b"].map((end) =>
      limitKey({ tool: "t", per: "tool", session: "x".repeat(9_999) + end }),
    );
    expect(keys[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });
});
