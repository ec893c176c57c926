import { expect, it } from "vitest";
import { describeReply } from "./greeting-rules.ts";

it("a reply that did not come is told with a time of whole milliseconds", () => {
  expect(describeReply({ kind: "timeout", afterMs: 5_000.1234567 })).toBe("was not answered within 5000 ms");
});
