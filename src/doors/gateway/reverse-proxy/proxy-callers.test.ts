import { describe, expect, it } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { createGateway } from "../create-gateway.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { ask, later } from "./proxy-http.fixture.ts";

const long = "So it is written. ".repeat(1_000);

/** What a server that knows its callers by any header would tell them apart by. */
function callerIn(headers: object): string {
  const telling = ["authorization", "cookie", "x-api-key", "x-user"];
  const shown = headers as Readonly<Record<string, string>>;
  return telling.flatMap((name) => shown[name] ?? []).join("+");
}

/** A gateway in front of a server that tells each caller what is for that caller alone. */
async function open(auth: UrlUpstream["auth"], options: Partial<UrlUpstream> = {}) {
  const server = await serveRaw(({ json: { id, method }, headers }, response) => {
    const own = `For ${callerIn(headers)} alone. ${long}`;
    const result =
      method === "tools/list"
        ? { tools: [{ name: "read", inputSchema: { type: "object" }, outputSchema: { type: "object" } }] }
        : { content: [{ type: "text", text: own }], structuredContent: { own } };
    const body = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  later(server.close);
  const gateway = createGateway({
    upstreams: { web: { url: server.url, auth, budget: { tokens: 500 }, ...options } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  later(() => gateway.close());
  const { urls } = await gateway.listen();
  const url = urls["web"] ?? "";
  const call = async (headers: object, name: string, args: object = {}): Promise<string> => {
    const body = { id: 1, method: "tools/call", params: { name, arguments: args } };
    return (await ask(url, { body, headers }).answer).text;
  };
  const asked = (): string[] =>
    server.heard.filter(({ body }) => body.includes("tools/list")).map(({ headers }) => callerIn(headers));
  return { url, call, asked };
}

const basic = (name: string): object => ({ authorization: `Basic ${btoa(`${name}:secret`)}` });

describe("callers whose credentials pass through", () => {
  it.each<[string, UrlUpstream["auth"], (name: string) => object]>([
    ["Bearer tokens", "passthrough", (name) => ({ authorization: `Bearer ${name}-token` })],
    ["Basic credentials", "passthrough", basic],
    ["cookies", "passthrough", (name) => ({ cookie: `sid=${name}` })],
    ["a key in a header", "passthrough", (name) => ({ "x-api-key": name })],
    ["a key in a header, where nobody is asked for credentials", "none", (name) => ({ "x-api-key": name })],
  ])("have tool lists and archives of their own: %s", async (_what, auth, headersOf) => {
    const { call, asked } = await open(auth);
    const [ada, ben] = [headersOf("ada"), headersOf("ben")];
    const cut = await call(ada, "read");
    await call(ben, "read");
    expect(asked()).toEqual([callerIn(ada), callerIn(ben)]);
    const [archive] = /[0-9a-f]{64}/.exec(cut) ?? [];
    expect(archive).toBeDefined();
    const wanted = { archive, pointer: "/own" };
    expect((await call(ada, "waybill_retrieve", wanted)).includes("alone. So it")).toBe(true);
    const refused = await call(ben, "waybill_retrieve", wanted);
    expect([refused.includes("NOT_FOUND"), refused.includes("alone.")]).toEqual([true, false]);
  });

  it("have sessions of their own: another's name for one opens nothing that was kept in it", async () => {
    const { call } = await open("passthrough");
    const session = { "mcp-session-id": "s1" };
    const cut = await call({ ...basic("ada"), ...session }, "read");
    const [archive] = /[0-9a-f]{64}/.exec(cut) ?? [];
    const refused = await call({ ...basic("ben"), ...session }, "waybill_retrieve", { archive });
    expect(refused.includes("NOT_FOUND")).toBe(true);
  });

  it("who say what anybody can say have lists of their own, and are strangers to archives", async () => {
    const { call, asked } = await open("none");
    await call({ "x-user": "ada" }, "read");
    await call({ "x-user": "ben" }, "read");
    await call({ "x-user": "ada" }, "read");
    expect(asked()).toEqual(["ada", "ben"]);
  });

  it("are one caller where the operator's own key takes the place of theirs", async () => {
    const { call, asked } = await open("none", { headers: { "X-Api-Key": "ours" } });
    await call({ "x-api-key": "ada" }, "read");
    await call({ "x-api-key": "ben" }, "read");
    expect(asked()).toEqual(["ours"]);
  });
});
