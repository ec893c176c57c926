import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { envelope, goodServer, plainText } from "../../../../test/broken-servers/good-server.ts";
import {
  type Json,
  type RawServer,
  type RawTool,
  RpcError,
} from "../../../../test/broken-servers/raw-server.ts";
import { serverLink } from "../../../../test/broken-servers/server-link.ts";
import { runCheck } from "../check-server.ts";
import type { CheckOptions } from "../check-options.ts";

/** The good server with this tool alone. */
function withTool(run: RawTool["run"], change?: (server: RawServer) => void) {
  return (): RawServer => {
    const server = goodServer();
    const definition = {
      name: "look",
      description: "Looks at something.",
      inputSchema: { type: "object", properties: { at: { type: "string" } } },
      annotations: { readOnlyHint: true },
    };
    server.tools = [{ definition, run }];
    change?.(server);
    return server;
  };
}

const check = (build: () => RawServer, options: CheckOptions) =>
  runCheck({ link: serverLink(build) }, options);

describe("archives that a server offers as resources", () => {
  const whole = JSON.stringify({ rows: [1, 2, 3] });
  const hash = createHash("sha256").update(whole).digest("hex");
  const cut = (): Json =>
    envelope(
      { rows: [1] },
      {
        content_fidelity: "partial",
        content_fidelity_schema_version: "1.0",
        dropped_content_ids: ["/rows/1..2"],
        content_archive_hashes: { [`rows-${hash.slice(0, 12)}`]: `sha256:${hash}` },
      },
    );

  /** Gives what `read` gives for a URI. */
  const offering = (read: (uri: string) => string | undefined) =>
    withTool(cut, (server) => {
      server.capabilities = { tools: {}, logging: {}, resources: {} };
      const answer = server.answer.bind(server);
      server.answer = (method, params, asked) => {
        if (method !== "resources/read") return answer(method, params, asked);
        const uri = String(params["uri"]);
        const text = read(uri);
        if (text === undefined) throw new RpcError(-32002, "There is no such resource");
        return { contents: [{ uri, mimeType: "application/json", text }] };
      };
    });
  const rules = ["fidelity/archive-resolves", "fidelity/archive-verifies"];
  const statusesOf = async (read: (uri: string) => string | undefined) => {
    const { report } = await check(offering(read), { era: "legacy", limits: { callsPerTool: 1 } });
    return rules.map((id) => report.rules.find((rule) => rule.id === id)?.status);
  };

  it("are read, and their bytes compared", async () => {
    expect(await statusesOf((uri) => (uri.endsWith(hash) ? whole : undefined))).toEqual(["passed", "passed"]);
    expect(await statusesOf(() => "{}")).toEqual(["passed", "failed"]);
    expect(await statusesOf(() => undefined)).toEqual(["failed", "untested"]);
  });

  it("are there where only their beginning fits into an answer", async () => {
    const asked: string[] = [];
    const large = (uri: string): string | undefined => {
      asked.push(uri);
      return uri.endsWith("/0/1024") ? whole.slice(0, 9) : undefined;
    };
    expect(await statusesOf(large)).toEqual(["passed", "untested"]);
    expect(asked.slice(0, 2)).toEqual([`waybill://archive/${hash}`, `waybill://archive/${hash}/0/1024`]);
  });
});

describe("a tool that asks for input", () => {
  const asks = (result: Json) =>
    withTool((_, { requestState }) =>
      requestState === undefined ? { resultType: "input_required", ...result } : plainText("It went well."),
    );

  it("is called again with its state, as a client would", async () => {
    const { report } = await check(asks({ requestState: "s" }), { era: "modern" });
    expect(report.coverage).toMatchObject({ called: 1 });
    expect(report.succeeded).toBeGreaterThan(0);
    expect(report.findings.filter(({ rule }) => rule.startsWith("input/"))).toEqual([]);
  });

  it("does not count as one that went well", async () => {
    const inputRequests = { which: { method: "elicitation/create", params: { message: "Which?" } } };
    const { report } = await check(asks({ inputRequests, requestState: "s" }), { era: "modern" });
    expect(report).toMatchObject({ succeeded: 0, score: null });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ rule: "input/capabilities", tool: "look" }),
    );
  });
});
