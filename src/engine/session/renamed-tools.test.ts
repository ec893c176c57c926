import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { add, call, here, open, reply, said, serving } from "./message-session.fixture.ts";
import type { ToolChoice } from "./tool-names.ts";

const tools = [add, { ...add, name: "remove" }, { ...add, name: "list_all" }];
const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
const long = Array.from({ length: 400 }, (_, at) => ({ id: `r-${at}`, text: "plain words ".repeat(8) }));

function calledIn(heard: readonly JsonObject[]): readonly unknown[] {
  return heard.flatMap(({ method, params }) =>
    method === "tools/call" ? [(params as JsonObject)["name"]] : [],
  );
}

async function listed(session: ReturnType<typeof open>["session"]): Promise<readonly JsonObject[]> {
  expect(session.request(list, here)).toBe("forward");
  const { result } = (await session.response(reply(list, { tools }))) as { result: { tools: JsonObject[] } };
  return result.tools;
}

function openWith(choice: ToolChoice, options: object = {}) {
  return open(
    serving(said(JSON.stringify(long)), tools),
    { dialect: "auto", budget: { tokens: 600 }, ...options },
    choice,
  );
}

describe("a renamed tool", () => {
  const choice = { renameTools: { add: "plus" }, describeTools: { add: "Adds two." } };

  it("is listed by its new name, with the new description, and its schemas", async () => {
    const [first, ...others] = await listed(openWith(choice).session);
    expect(first).toMatchObject({ name: "plus", description: "Adds two.", inputSchema: { type: "object" } });
    expect(others.map(({ name }) => name)).toEqual(["remove", "list_all", "waybill_retrieve"]);
  });

  it("is called by it, before any list too, and the server hears its own name and the same arguments", async () => {
    const { session, heard } = openWith(choice);
    const cut = JSON.stringify(await session.request(call("plus", 8), here));
    expect(calledIn(heard)).toEqual(["add"]);
    expect(heard.at(-1)).toMatchObject({ params: { name: "add", arguments: { a: 1 } } });
    expect(cut).toContain('\\"tool\\":\\"waybill_retrieve\\"');
  });

  it("has its own settings under the new name", async () => {
    const { session } = openWith(choice, { toolSettings: { plus: { budget: { tokens: "off" } } } });
    expect(JSON.stringify(await session.request(call("plus", 8), here))).toContain("r-399");
  });

  it("is unknown by its old name", async () => {
    const { session, heard } = openWith(choice);
    await session.request(call("add", 8), here);
    const [name] = calledIn(heard);
    expect(name).not.toBe("add");
    expect(tools.map((tool) => tool.name)).not.toContain(name);
  });

  it("leaves what was cut to the tool that gives it back", async () => {
    const { session } = openWith({ ...choice, allowTools: ["add"] });
    const cut = JSON.stringify(await session.request(call("plus", 8), here));
    const [, archive = ""] = /sha256:([0-9a-f]{64})/.exec(cut) ?? [];
    const params = { name: "waybill_retrieve", arguments: { archive, ids: ["r-399"] } };
    const asked = { jsonrpc: "2.0", id: 9, method: "tools/call", params };
    expect(JSON.stringify(await session.request(asked, here))).toContain("r-399");
  });
});

describe("the log", () => {
  it("says once which rules match nothing, and whose name was taken", async () => {
    const lines: JsonObject[] = [];
    const take = (line: JsonObject, event: string): void => void lines.push({ ...line, event });
    const logger = { debug: take, info: take, warn: take, error: take } as never;
    const choice = { allowTools: ["add", "remove", "lst_all"], renameTools: { remove: "add" } };
    const { session } = openWith(choice, { logger, logLevel: "warn" });
    expect((await listed(session)).map(({ name }) => name)).toEqual(["add", "waybill_retrieve"]);
    await listed(session);
    expect(lines.map(({ event, tool, hint }) => ({ event, tool, hint }) as JsonObject)).toEqual([
      {
        event: "tool-rule-unused",
        tool: "lst_all",
        hint: 'allow_tools names a tool that the server does not list. Did you mean "list_all"?',
      },
      {
        event: "tool-name-taken",
        tool: "add",
        hint: '"remove" is listed as "add", so this tool is left out. Give one of them another name with rename_tools.',
      },
    ]);
  });
});
