import { describe, expect, it } from "vitest";
import { firstCall, startCommand } from "../journeys/npm-start.fixture.ts";

describe("npm start with the built package", () => {
  it("answers the call that it prints, and ends when it is told to", { timeout: 120_000 }, async () => {
    const { answer, code } = await firstCall(startCommand());
    expect(answer).toContain("Implement login");
    expect(code).toBe(0);
  });
});
