import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";
import { hasPython } from "../services/python.fixture.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { serverKinds } from "./attach-example.fixture.ts";
import { gatewayArgs } from "./published-servers.fixture.ts";
import { askDirectly, dataOf, failure, large, messageOf, success, toolsOf } from "./python-calls.fixture.ts";
import {
  type Choice,
  type Family,
  choices,
  commandOf,
  families,
  makeProject,
  openGateway,
  saidBy,
} from "./python-servers.fixture.ts";

const project = makeProject();
let gateway: Awaited<ReturnType<typeof openGateway>> | undefined;
afterAll(async () => {
  await gateway?.close();
  project.remove();
});

const cases = families.flatMap((family) => choices.map((choice) => ({ family, choice })));

describe.runIf(hasPython()).each(someOf(cases, 2))(
  "$family behind the gateway, in $choice",
  ({ family, choice }) => {
    let behind: Awaited<ReturnType<Awaited<ReturnType<typeof openGateway>>["connect"]>>;
    beforeAll(async () => {
      gateway ??= await openGateway(project.folder);
      behind = await gateway.connect(family, choice);
    });
    afterAll(() => behind.client.close());

    it("lists the same tools, and one to retrieve", async () => {
      const names = (await behind.client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual([...toolsOf[family], "waybill_retrieve"]);
    });

    it("gives the same data", async () => {
      expect((await behind.tools.call(...success[family])).data).toEqual(dataOf[family]);
    });

    it("fails with a code, and in the words of the server", async () => {
      const tried = await behind.tools.tryCall(...failure[family]);
      // The drf dialect has no place for a code: there, the words are all that a client gets.
      const code = family === "drf" && choice === "own" ? {} : { canonicalCode: "NOT_FOUND" };
      expect(tried).toMatchObject({ ok: false, error: { ...code, message: messageOf[family] } });
      expect((await behind.call(...failure[family]))["isError"]).toBe(true);
    });

    it("cuts what is too long, and gives everything back", async () => {
      const direct = await askDirectly(family, project.folder);
      const sent = JSON.parse(saidBy(await direct.call(large[family])).text) as JsonObject;
      await direct.client.close();
      const answer = await behind.tools.call(...large[family]);
      expect(answer.fidelity).toBe("partial");
      expect(Object.values(answer.archives)).toHaveLength(1);
      expect((await behind.tools.complete(answer)).data).toEqual(family === "drf" ? sent : sent["data"]);
    });
  },
);

describe.runIf(hasPython())("what the servers say besides, behind the gateway", () => {
  type Behind = Awaited<ReturnType<Awaited<ReturnType<typeof openGateway>>["connect"]>>;
  /** A connection for one fact. */
  async function ask<Seen>(
    family: Family,
    choice: Choice,
    look: (behind: Behind) => Promise<Seen>,
  ): Promise<Seen> {
    gateway ??= await openGateway(project.folder);
    const behind = await gateway.connect(family, choice);
    try {
      return await look(behind);
    } finally {
      await behind.client.close();
    }
  }
  const envelopeOf = (result: JsonObject): JsonObject => JSON.parse(saidBy(result).text) as JsonObject;

  it.each(someOf(choices, 1))("has the warnings of the first guide where they belong: %s", async (choice) => {
    await ask("foundry", choice, async ({ call, tools }) => {
      const { warnings } = await tools.call("review", { spec_id: "my-feature" });
      expect(warnings.map(({ message }) => message)).toEqual(["The review waits for task-002"]);
      const { data, meta } = envelopeOf(await call("review", { spec_id: "my-feature" }));
      const said = ["The review waits for task-002"];
      const notes = { inData: Object(data)._warnings, inMeta: Object(meta).warnings };
      // In auto, a success that fits is the server's own bytes.
      expect(notes).toEqual(
        choice === "auto" ? { inData: said, inMeta: undefined } : { inData: undefined, inMeta: said },
      );
      const failed = await tools.tryCall("review", { spec_id: "no-such-spec" });
      expect(failed).toMatchObject({ ok: false, error: { code: "NOT_FOUND", message: messageOf.foundry } });
    });
  });

  it.each(someOf(choices, 1))("walks through all pages with the server's own cursors: %s", async (choice) => {
    await ask("foundry", choice, async ({ tools }) => {
      const ids: unknown[] = [];
      for await (const task of tools.items("task_query", { spec_id: "platform", page_size: 50 }))
        ids.push(task);
      expect(ids).toHaveLength(150);
    });
  });

  it.each(someOf(choices, 1))("has the hints of a tier: %s", async (choice) => {
    await ask("scalpel", choice, async ({ call, tools }) => {
      const deep = ["security_scan", { path: "store.py", depth: "deep" }] as const;
      expect(await tools.tryCall(...deep)).toMatchObject({
        ok: false,
        error: { canonicalCode: "UPGRADE_REQUIRED" },
      });
      expect(JSON.stringify(envelopeOf(await call(...deep)))).toContain('"feature":"deep_scan"');
    });
  });

  it.runIf(isFullRun)("takes the nine keys of debug for what they are", async () => {
    const debug = await openGateway(project.folder, { SCALPEL_MCP_INFO: "DEBUG" });
    onTestFinished(() => debug.close());
    for (const choice of choices) {
      const { client, tools } = await debug.connect("scalpel", choice);
      expect((await tools.call(...success.scalpel)).data).toEqual(dataOf.scalpel);
      expect(await tools.tryCall(...failure.scalpel)).toMatchObject({
        ok: false,
        error: { canonicalCode: "NOT_FOUND", message: messageOf.scalpel },
      });
      await client.close();
    }
  });

  it.runIf(isFullRun)("leaves what clients of each family know as it was, in its own dialect", async () => {
    for (const family of families) {
      const direct = await askDirectly(family, project.folder);
      const own = await direct.call(success[family]);
      const failed = await direct.call(failure[family]);
      await direct.client.close();
      await ask(family, "own", async ({ call }) => {
        expect(envelopeOf(await call(...success[family]))).toEqual(JSON.parse(saidBy(own).text));
        // A request id is new; what the server said of the failure is the same.
        const readable = (text: string): unknown => (family === "drf" ? { text } : JSON.parse(text));
        const { text } = saidBy(await call(...failure[family]));
        expect(readable(text)).toMatchObject(readable(saidBy(failed).text) as object);
      });
    }
  });
});

describe.runIf(hasPython() && isFullRun)("waybill gateway on stdio, in front of a Python server", () => {
  const reaches = families.flatMap((family) => serverKinds.map((kind) => ({ family, kind })));
  it.each(reaches)("serves the SDK client $kind: $family", { timeout: 60_000 }, async ({ family, kind }) => {
    const words = gatewayArgs(["--store", "memory"], commandOf(family, project.folder));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...words],
      stderr: "ignore",
    });
    const client = await connectClient(kind, transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      ...toolsOf[family],
      "waybill_retrieve",
    ]);
    expect((await client.call(...success[family]))["isError"]).not.toBe(true);
    expect((await client.call(...failure[family]))["isError"]).toBe(true);
    const cut = JSON.stringify(await client.call(...large[family]));
    const [archive = ""] = /sha256:[0-9a-f]{64}/.exec(cut) ?? [];
    const back = await client.call("waybill_retrieve", { archive, limit: 1 });
    expect(JSON.stringify(back)).toContain("verified");
  });
});
