import { describe, expect, it } from "vitest";
import { createConcurrency } from "./concurrency.ts";

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
