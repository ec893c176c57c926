import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { add, call, here, open, reply, said, serving } from "./message-session.fixture.ts";

const schema = { type: "object", properties: { gone: { type: "boolean" } }, required: ["gone"] };
const tools = [add, { ...add, name: "remove", outputSchema: schema }];
const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };

async function namesOf(hide: readonly string[]): Promise<readonly unknown[]> {
  const { session } = open(serving(said("3")), {}, { hide });
  expect(session.request(list, here)).toBe("forward");
  const listed = (await session.response(reply(list, { tools }))) as { result: { tools: JsonObject[] } };
  return listed.result.tools.map(({ name }) => name);
}

function nameIn({ params }: JsonObject): string {
  return (params as { readonly name: string }).name;
}

/** What servers say of a tool that they do not have. */
const refusals: Readonly<Record<string, (name: string) => JsonObject>> = {
  "an error of the protocol": (name) => ({ error: { code: -32602, message: `Unknown tool: ${name}` } }),
  "a failed result": (name) => ({
    result: said(`MCP error -32602: Tool ${name} not found`, { isError: true }),
  }),
  "a text": (name) => ({ result: said(`There is no "${name}" here, I know ${name.length > 0} things`) }),
};

/** The whole answer to a call, whichever way it leaves, from a server that has two tools. */
async function answerTo(name: string, refuse: (name: string) => JsonObject) {
  const sent: unknown[] = [];
  const { session, heard } = open(
    (message, around) => {
      const { id = null, method } = message;
      if (method === "tools/list") void around.response(reply(message, { tools }));
      if (method !== "tools/call") return;
      const isKnown = tools.some((tool) => tool.name === nameIn(message));
      const answer = isKnown ? { result: said("done") } : refuse(nameIn(message));
      const now = around.response({ jsonrpc: "2.0", id, ...answer });
      if (now !== undefined) sent.push(now);
    },
    { dialect: "auto" },
    { hide: ["remove"], isRemote: true },
  );
  const answer = await session.request(call(name, 5), here);
  const called = heard.filter(({ method }) => method === "tools/call").map(nameIn);
  const text = JSON.stringify(answer ?? sent[0]).replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":1');
  return { answer: text, called };
}

describe("a tool that is hidden", () => {
  it("is not listed", async () => {
    expect(await namesOf([])).toEqual(["add", "remove", "waybill_retrieve"]);
    expect(await namesOf(["remove", "no such tool"])).toEqual(["add", "waybill_retrieve"]);
  });

  it.each(Object.entries(refusals))(
    "is answered like one that the server does not have, which says so by %s",
    async (_how, refuse) => {
      const hidden = await answerTo("remove", refuse);
      const unknown = await answerTo("remedy", refuse);
      expect(unknown.answer).toContain("remedy");
      expect(hidden.answer.replaceAll("remove", "remedy")).toBe(unknown.answer);
      expect(hidden.called).not.toContain("remove");
      expect(hidden.called).toHaveLength(1);
    },
  );

  it("leaves the others as they are", async () => {
    const refuse = () => ({ error: { code: -32602, message: "no" } });
    expect((await answerTo("add", refuse)).called).toEqual(["add"]);
  });
});

describe("a tool of the server's own that is called waybill_retrieve", () => {
  const foreign = { name: "waybill_retrieve", inputSchema: { type: "object" } };
  const long = Array.from({ length: 400 }, (_, at) => ({ id: `r-${at}`, text: "plain words ".repeat(8) }));

  it("stays what it is: it is listed, called and cut, and ours has a number", async () => {
    const answer = said(JSON.stringify(long));
    const { session } = open(serving(answer, [foreign]), { dialect: "auto", budget: { tokens: 600 } });
    expect(session.request(list, here)).toBe("forward");
    const listed = (await session.response(reply(list, { tools: [foreign] }))) as {
      result: { tools: JsonObject[] };
    };
    expect(listed.result.tools.map(({ name }) => name)).toEqual(["waybill_retrieve", "waybill_retrieve_2"]);
    const cut = JSON.stringify(await session.request(call("waybill_retrieve", 8), here));
    expect(cut).toContain('\\"tool\\":\\"waybill_retrieve_2\\"');
    expect(cut.length).toBeLessThan(4_000);
    const [, archive = ""] = /sha256:([0-9a-f]{64})/.exec(cut) ?? [];
    const asked = {
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { name: "waybill_retrieve_2", arguments: { archive, ids: ["r-399"] } },
    };
    expect(JSON.stringify(await session.request(asked, here))).toContain("r-399");
  });

  it("takes ours with it when it is hidden", async () => {
    const { session } = open(serving(said("3"), [foreign]), {}, { hide: ["waybill_retrieve"] });
    expect(session.request(list, here)).toBe("forward");
    const listed = (await session.response(reply(list, { tools: [foreign] }))) as {
      result: { tools: JsonObject[] };
    };
    expect(listed.result.tools).toEqual([]);
  });
});

describe("the tool that gives back what was cut", () => {
  const long = Array.from({ length: 400 }, (_, at) => ({ id: `r-${at}`, text: "plain words ".repeat(8) }));
  const retrieve = { name: "files_retrieve" };

  async function cutWith(hide: readonly string[], options: object = {}) {
    const { session, heard } = open(
      serving(said(JSON.stringify(long)), [add]),
      { dialect: "auto", budget: { tokens: 600 }, retrieve, ...options },
      { hide },
    );
    expect(session.request(list, here)).toBe("forward");
    const listed = (await session.response(reply(list, { tools: [add] }))) as {
      result: { tools: JsonObject[] };
    };
    const cut = JSON.stringify(await session.request(call("add", 8), here));
    return { session, heard, names: listed.result.tools.map(({ name }) => name), cut };
  }

  it("has the name of the setting in the list, in results and in its own refusals", async () => {
    const { session, names, cut } = await cutWith([]);
    expect(names).toEqual(["add", "files_retrieve"]);
    expect(cut).toContain('\\"tool\\":\\"files_retrieve\\"');
    expect(cut).not.toContain("waybill_retrieve");
    const params = { name: "files_retrieve", arguments: { wrong: 1 } };
    const wrong = { jsonrpc: "2.0", id: 9, method: "tools/call", params };
    expect(JSON.stringify(await session.request(wrong, here))).toContain("files_retrieve has no argument");
  });

  it.each([["waybill_retrieve"], ["files_retrieve"], ["files_retrieve_2"]])(
    "is neither listed nor callable nor promised where %s is hidden, and nothing is kept",
    async (hidden) => {
      const { session, heard, names, cut } = await cutWith([hidden]);
      expect(names).toEqual(["add"]);
      expect(cut).toContain("The omitted content is not kept");
      expect(cut).not.toMatch(/retrieve|sha256:/);
      const asked = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "files_retrieve" } };
      await session.request(asked, here);
      // The server is asked, as for every tool that is not ours.
      expect(heard.filter(({ method }) => method === "tools/call")).toHaveLength(2);
    },
  );

  it.each([[false], ["off"]])("is not there with store: %s, and no result promises it", async (store) => {
    const { names, cut } = await cutWith([], { store });
    expect(names).toEqual(["add"]);
    expect(cut).toContain("The omitted content is not kept");
    expect(cut).not.toMatch(/retrieve|sha256:/);
  });

  it("has a number where the server has a tool of the name that was chosen", async () => {
    const own = { name: "files_retrieve", inputSchema: { type: "object" } };
    const { session } = open(serving(said("3"), [own]), { retrieve });
    expect(session.request(list, here)).toBe("forward");
    const listed = (await session.response(reply(list, { tools: [own] }))) as {
      result: { tools: JsonObject[] };
    };
    expect(listed.result.tools.map(({ name }) => name)).toEqual(["files_retrieve", "files_retrieve_2"]);
  });
});
