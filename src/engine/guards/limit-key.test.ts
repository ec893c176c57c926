import { describe, expect, it } from "vitest";
import { limitKey } from "./limit-key.ts";

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
