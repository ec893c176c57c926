import { describe, expect, it } from "vitest";
import { adviseKey, adviseName } from "./config-problem.ts";

describe("adviseKey", () => {
  it("lists all keys when none is close, and says to remove a key where none is known", () => {
    expect(adviseKey("zebra", ["tokens", "bytes"])).toBe("Choose one of tokens, bytes.");
    expect(adviseKey("zebra", [])).toBe("Remove it.");
  });
});

describe("adviseName", () => {
  it("names what was meant and everything allowed", () => {
    expect(adviseName("debgu", ["minimal", "debug"])).toBe(
      'Did you mean "debug"? Choose one of minimal, debug.',
    );
  });
});
