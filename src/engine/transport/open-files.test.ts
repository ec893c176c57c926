import { describe, expect, it } from "vitest";
import { roomAt, roomForFiles } from "./open-files.ts";

describe("the files that a process may have open", () => {
  it.each([
    [1_024, 895, "enough"],
    [1_024, 896, "tight"],
    [1_024, 960, "low"],
    [1_024, 992, "out"],
    [64, 47, "enough"],
    [64, 48, "tight"],
    [64, 56, "low"],
    [64, 60, "out"],
  ])("of %d: with number %d there is %s room", (limit, number, room) => {
    expect(roomAt(number, limit)).toBe(room);
  });

  it("are enough where the limit or the number is unknown", () => {
    expect(roomAt(undefined, 64)).toBe("enough");
    expect(roomForFiles()).toBe("enough");
  });
});
