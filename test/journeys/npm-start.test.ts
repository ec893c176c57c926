import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { firstCall, startCommand } from "./npm-start.fixture.ts";

describe.runIf(isFullRun)("npm start", () => {
  it("serves two servers, and the call that it prints is answered", { timeout: 120_000 }, async () => {
    // From the sources: what the built package does is tried with it.
    const command = startCommand().replace(/TSX_TSCONFIG_PATH=\S+ /, "");
    expect(command).toBe("exec env node --import tsx examples/gateway/start.ts");
    const { printed, answer, code } = await firstCall(command);
    expect(printed).toMatch(/^ {2}workshop +http:\/\/127\.0\.0\.1:\d+\/workshop\/mcp$/m);
    expect(printed).toMatch(/^ {2}everything +http:\/\/127\.0\.0\.1:\d+\/everything\/mcp$/m);
    expect(printed).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/m);
    const { result } = JSON.parse(answer) as { readonly result: { readonly isError?: boolean } };
    expect(result.isError).not.toBe(true);
    expect(JSON.stringify(result)).toContain("Implement login");
    expect(code).toBe(0);
  });
});
