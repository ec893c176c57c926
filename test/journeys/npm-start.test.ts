import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { firstCall, startCommand } from "./npm-start.fixture.ts";

/** A success, a failure with its remedy, and a cut with its handle. */
const threeAnswers = new RegExp(
  [
    String.raw`^  spec \{"action":"get","spec_id":"my-feature"\}`,
    String.raw`    success  true`,
    String.raw`    data     \{"spec":\{"spec_id":"my-feature","title":"My feature",.*…`,
    String.raw`    meta     \{"version":"response-v2","request_id":"req_\w+"\}`,
    "",
    String.raw`  spec \{"action":"get","spec_id":"login"\}`,
    String.raw`    success  false`,
    String.raw`    error    Spec not found: login`,
    String.raw`    code     NOT_FOUND, of the type not_found`,
    String.raw`    remedy   Check that the spec_id exists in specs/active/ or specs/pending/`,
    "",
    String.raw`  research \{"action":"report","research_id":"research-001"\}`,
    String.raw`    budget   600 tokens`,
    String.raw`    success  true`,
    String.raw`    data     3 of 5 findings, content_fidelity partial`,
    String.raw`    warning  2 findings omitted due to token limits`,
    String.raw`    rest     the tool waybill_retrieve gives it back, with this archive:`,
    String.raw`    sha256:[0-9a-f]{64}$`,
  ].join("\n"),
  "m",
);

describe.runIf(isFullRun)("npm start", () => {
  it(
    "serves two servers, shows three answers, and what it prints can be used",
    { timeout: 120_000 },
    async () => {
      // From the sources: what the built package does is tried with it.
      const command = startCommand().replace(/TSX_TSCONFIG_PATH=\S+ /, "");
      expect(command).toBe("exec env node --import tsx examples/gateway/start.ts");
      const { printed, answer, rest, code } = await firstCall(command);
      expect(printed).toMatch(threeAnswers);
      const [shown = ""] = threeAnswers.exec(printed) ?? [];
      expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
      // A sentence of the last finding, which was left out.
      expect(rest).toContain("Errors with a remedy are put right in the next call");
      expect(printed).toMatch(/^ {2}workshop +http:\/\/127\.0\.0\.1:\d+\/workshop\/mcp$/m);
      expect(printed).toMatch(/^ {2}everything +http:\/\/127\.0\.0\.1:\d+\/everything\/mcp$/m);
      expect(printed).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/m);
      const { result } = JSON.parse(answer) as { readonly result: { readonly isError?: boolean } };
      expect(result.isError).not.toBe(true);
      expect(JSON.stringify(result)).toContain("Implement login");
      expect(code).toBe(0);
    },
  );
});
