import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import type { AccessLine } from "../access-log/access-line.ts";
import { createGateway } from "../create-gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { answer, ask, call, later, said } from "../reverse-proxy/proxy-http.fixture.ts";

const alice = "token-of-alice-0123456789";
const bob = "token-of-bob-9876543210";

/** A gateway in front of two servers, of which only one knows Bob. */
async function open(more: Partial<GatewayOptions> = {}) {
  const server = await serveRaw(answer(said("hello")));
  later(server.close);
  const serverFor = (tokens: Record<string, string>) =>
    ({ url: server.url, probe: "off", auth: { gateway: { tokens } } }) as const;
  const gateway = createGateway({
    upstreams: { files: serverFor({ alice }), web: serverFor({ alice, bob }) },
    endpoints: { work: ["files"] },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
    ...more,
  });
  onTestFinished(() => gateway.close());
  const { urls, merged = "", endpoints = {} } = await gateway.listen();
  const post = async (url = "", token?: string): Promise<number> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await ask(url, { headers, body: call }).answer).status;
  };
  const page = async (): Promise<string> => (await fetch(new URL("/metrics", merged))).text();
  return { post, page, files: urls["files"], all: merged, work: endpoints["work"] };
}

const linesOf = (page: string, name: string): readonly string[] =>
  page.split("\n").filter((line) => line.startsWith(name));

describe("a caller that is refused", () => {
  it("is counted once at the address that it called, of one server or of several", async () => {
    const lines: AccessLine[] = [];
    const { post, page, files, all, work } = await open({ accessLog: (line) => lines.push(line) });
    expect(await post(files, "wrong")).toBe(401);
    expect(await post(all, "wrong")).toBe(401);
    expect(await post(all)).toBe(401);
    expect(await post(work, bob)).toBe(401);
    // One of the two servers admits him.
    expect(await post(all, bob)).not.toBe(401);
    expect(linesOf(await page(), "waybill_auth_refusals_total")).toEqual([
      'waybill_auth_refusals_total{upstream="files",reason="unknown-token"} 1',
      'waybill_auth_refusals_total{upstream="/mcp",reason="unknown-token"} 1',
      'waybill_auth_refusals_total{upstream="/mcp",reason="no-token"} 1',
      'waybill_auth_refusals_total{upstream="work",reason="unknown-token"} 1',
    ]);
    const refused = (): readonly AccessLine[] => lines.filter(({ status }) => status === 401);
    await vi.waitFor(() => expect(refused()).toHaveLength(4));
    expect(refused().map((line) => [line.path, "upstream" in line ? line.upstream : "absent"])).toEqual([
      ["/files/mcp", "files"],
      ["/mcp", "absent"],
      ["/mcp", "absent"],
      ["/work/mcp", "work"],
    ]);
  });
});

describe("the tokens on the page", () => {
  it.each([
    ["without an access log are estimated", {}, "estimated from samples"],
    ["with an access log are its sums", { accessLog: () => undefined }, "the sum of the access log's lines"],
  ])("are there at the first request, and %s", async (_, more, how) => {
    const { post, page, files } = await open(more);
    expect(await post(files, alice)).toBe(200);
    const text = await page();
    for (const name of ["waybill_tokens_in_total", "waybill_tokens_out_total"]) {
      expect(linesOf(text, name)).toEqual([`${name} 1`]);
      expect(linesOf(text, `# HELP ${name}`)).toEqual([expect.stringMatching(`; ${how}\\.$`)]);
    }
  });
});
