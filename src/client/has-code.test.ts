import { describe, expect, it } from "vitest";
import { hasCode } from "./has-code.ts";
import { ResponseError } from "./response-error.ts";

const moved = new ResponseError({ message: "It moved", code: "INVALID_STATE", type: "conflict" });

describe("hasCode", () => {
  it("knows a code as the server wrote it, and as the registry calls it", () => {
    expect(hasCode(moved, "INVALID_STATE")).toBe(true);
    expect(hasCode(moved, "NOT_FOUND", "CONFLICT")).toBe(true);
    expect(hasCode(moved, "VERSION_CONFLICT")).toBe(false);
  });

  it("is false for anything else that was thrown", () => {
    for (const thrown of [new Error("CONFLICT"), { code: "CONFLICT" }, null, "CONFLICT"]) {
      expect(hasCode(thrown, "CONFLICT")).toBe(false);
    }
  });
});
