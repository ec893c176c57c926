import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connectTo, namesOf, openMerge, smallServer, temporaryFolder, textOf } from "./merge.fixture.ts";

const eras = ["legacy", "modern"] as const;

function webAndNotes() {
  const web = smallServer("web", {
    tools: ["search", "fetch"],
    prompts: ["ask", "sum"],
    resources: ["web://one", "any://same"],
    instructions: "Look things up here.",
  });
  const notes = smallServer("notes", {
    tools: ["search", "write"],
    prompts: ["ask"],
    resources: ["notes://one", "any://same"],
    instructions: "Write things down here.",
  });
  return { web, notes };
}

describe.each(eras)("several servers at one address, to a client of the %s era", (era) => {
  it("list their tools as one, and names that two of them have begin with the server's", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    expect(await namesOf(client)).toEqual([
      "web_search",
      "fetch",
      "notes_search",
      "write",
      "waybill_retrieve",
    ]);
    expect(await textOf(client, "web_search")).toBe("web search 0");
    expect(await textOf(client, "notes_search")).toBe("notes search 0");
    expect(await textOf(client, "write")).toBe("notes write 0");
    expect([web.calls, notes.calls]).toEqual([["search"], ["search", "write"]]);
  });

  it("have names that always begin with the server's where that is asked for", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes], { merge: { prefix: "always" } })).url, era);
    expect(await namesOf(client)).toEqual([
      "web_search",
      "web_fetch",
      "notes_search",
      "notes_write",
      "waybill_retrieve",
    ]);
    expect(await textOf(client, "notes_write")).toBe("notes write 0");
    await expect(client.callTool({ name: "write", arguments: {} })).rejects.toThrow(
      'No server has a tool "write"',
    );
  });

  it("say what they can do, and their instructions as paragraphs", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    expect(client.getInstructions()).toBe("web: Look things up here.\n\nnotes: Write things down here.");
    expect(client.getServerVersion()).toMatchObject({ name: "waybill" });
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
    });
  });

  it("give prompts by name, and resources by address; of two with one address, the first server's", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["web_ask", "sum", "notes_ask"]);
    const { messages } = await client.getPrompt({ name: "notes_ask" });
    expect(messages).toMatchObject([{ content: { text: "ask of notes" } }]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["web://one", "any://same", "notes://one"]);
    for (const [uri, text] of [
      ["notes://one", "notes://one of notes"],
      ["any://same", "any://same of web"],
    ] as const)
      expect((await client.readResource({ uri })).contents).toMatchObject([{ text }]);
    await expect(client.readResource({ uri: "none://one" })).rejects.toThrow(/not found/i);
  });

  it("have one retrieval tool, which finds what any of them had cut", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    for (const [tool, first] of [
      ["fetch", "web fetch 0"],
      ["write", "notes write 0"],
    ] as const) {
      const cut = JSON.stringify(await client.callTool({ name: tool, arguments: { lines: 900 } }));
      const archive = /sha256:[0-9a-f]{64}/.exec(cut)?.[0];
      const back = await textOf(client, "waybill_retrieve", { archive, lines: "1-2" });
      expect(back).toContain(first);
    }
  });

  it("are searched for a name that no list has, and refuse it with a near one", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    await expect(client.callTool({ name: "wriet", arguments: {} })).rejects.toThrow(
      'No server has a tool "wriet". Did you mean "write"?',
    );
    expect(await textOf(client, "write")).toBe("notes write 0");
  });

  it("are called by several calls at once before any list", async () => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    const texts = await Promise.all(["fetch", "write", "fetch"].map((name) => textOf(client, name)));
    expect(texts).toEqual(["web fetch 0", "notes write 0", "web fetch 0"]);
  });

  it("serve a server of the legacy era beside one of both", async () => {
    const { web } = webAndNotes();
    const old = smallServer("old", { tools: ["search", "dig"], isOld: true });
    const client = await connectTo((await openMerge([web, old])).url, era);
    expect(await namesOf(client)).toContain("old_search");
    expect(await textOf(client, "dig")).toBe("old dig 0");
  });

  it("serve the callers that a server admits, and show each its own servers", async () => {
    const key = (name: string) => ({ gateway: { tokens: { [name]: `token-of-${name}-0123456789` } } });
    const web = smallServer("web", { tools: ["search"], auth: key("ann") });
    const notes = smallServer("notes", { tools: ["write"], auth: key("bob") });
    const { url } = await openMerge([web, notes]);
    const as = (name: string) => ({ authorization: `Bearer token-of-${name}-0123456789` });
    expect(await namesOf(await connectTo(url, era, as("ann")))).toEqual(["search", "waybill_retrieve"]);
    const bob = await connectTo(url, era, as("bob"));
    expect(await namesOf(bob)).toEqual(["write", "waybill_retrieve"]);
    await expect(bob.callTool({ name: "search", arguments: {} })).rejects.toThrow(
      'No server has a tool "search".',
    );
    expect(web.calls).toEqual([]);
    await expect(connectTo(url, era, as("eve"))).rejects.toThrow(/401|token|Unauthorized/);
  });
});

describe("what servers ask a client of the legacy era", () => {
  it("comes back to the one that asked, though both count from the same number", async () => {
    const servers = ["one", "two"].map((name) => smallServer(name, { tools: ["ask"], isOld: true }));
    const { url } = await openMerge(servers);
    const client = new Client(
      { name: "asked", version: "1.0.0" },
      { versionNegotiation: { mode: "legacy" }, capabilities: { sampling: {} } },
    );
    const held: (() => void)[] = [];
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      // Both questions are open before one is answered, the later one first.
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === 2) for (const each of held.toReversed()) each();
      });
      const text = `to ${JSON.stringify(params.messages)}`;
      return { role: "assistant", model: "test", content: { type: "text", text } };
    });
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    await client.listTools();
    const answers = await Promise.all(["one_ask", "two_ask"].map((name) => textOf(client, name)));
    expect(answers[0]).toMatch(/^one heard .*one asks/);
    expect(answers[1]).toMatch(/^two heard .*two asks/);
  });
});

describe("a call of a tool that no server has", () => {
  it.each(eras)("is told to the access log, in the %s era", async (era) => {
    const told: unknown[] = [];
    const { web, notes } = webAndNotes();
    const { url } = await openMerge([web, notes], {
      noteRefusal: ({ code }, { tool, path }) => told.push({ code, tool, path }),
    });
    const client = await connectTo(url, era);
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toThrow("No server has a tool");
    expect(told).toEqual([{ code: -32602, tool: "none", path: "/mcp" }]);
  });
});

describe("the names of several servers at one address", () => {
  it("do not depend on which server is up", async () => {
    const folder = temporaryFolder();
    const { web, notes } = webAndNotes();
    const merge = await openMerge([web, notes], { folder });
    const before = await namesOf(await connectTo(merge.url, "legacy"));
    await merge.endpoints.close();
    const { web: again } = webAndNotes();
    const dead = smallServer("notes", { tools: [] });
    const { url } = await openMerge([again, { ...dead, upstream: refusing(dead.upstream) }], { folder });
    const now = await namesOf(await connectTo(url, "legacy"));
    expect(now).toEqual(before.filter((name) => !["notes_search", "write"].includes(name)));
  });

  it("of a group are those of its servers alone", async () => {
    const { web, notes } = webAndNotes();
    const third = smallServer("third", { tools: ["write"] });
    const merge = await openMerge([web, notes, third], {
      endpoints: { pen: ["notes"], both: ["web", "third"] },
    });
    expect(await namesOf(await connectTo(merge.urlOf("pen"), "legacy"))).toEqual([
      "search",
      "write",
      "waybill_retrieve",
    ]);
    expect(await namesOf(await connectTo(merge.urlOf("both"), "modern"))).toEqual([
      "search",
      "fetch",
      "write",
      "waybill_retrieve",
    ]);
  });
});

/** The same upstream whose connections end at once. */
function refusing(upstream: ReturnType<typeof smallServer>["upstream"]) {
  return {
    ...upstream,
    connect: (...given: Parameters<typeof upstream.connect>) => {
      const link = upstream.connect(...given);
      upstream.ends.at(-1)?.close();
      return link;
    },
  };
}

describe("a server that goes away", () => {
  it("is in no list until it is back", async () => {
    const { web, notes } = webAndNotes();
    const { url } = await openMerge([web, notes]);
    const client = await connectTo(url, "legacy");
    await client.listTools();
    for (const end of notes.upstream.ends) end.close();
    await vi.waitFor(async () =>
      expect(await namesOf(client)).toEqual(["web_search", "fetch", "waybill_retrieve"]),
    );
    await vi.waitFor(async () => expect(await namesOf(client)).toContain("write"));
  });

  it.each(eras)("takes only its own tools away, says so and comes back, in the %s era", async (era) => {
    const { web, notes } = webAndNotes();
    const client = await connectTo((await openMerge([web, notes])).url, era);
    let news = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => void (news += 1));
    if (era === "modern") await client.listen({ toolsListChanged: true });
    await client.listTools();
    expect(await textOf(client, "write")).toBe("notes write 0");
    for (const end of notes.upstream.ends) end.close();
    await vi.waitFor(() => expect(news).toBeGreaterThan(0));
    expect(await textOf(client, "fetch")).toBe("web fetch 0");
    await vi.waitFor(async () => expect(await namesOf(client)).toContain("write"), { timeout: 4_000 });
    expect(await textOf(client, "write")).toBe("notes write 0");
  });

  it("does not stop a client from greeting the others, and joins them later", async () => {
    const { web, notes } = webAndNotes();
    let isDown = true;
    const late = {
      ...notes,
      upstream: {
        ...notes.upstream,
        connect: (...given: Parameters<typeof notes.upstream.connect>) =>
          (isDown ? refusing(notes.upstream) : notes.upstream).connect(...given),
      },
    };
    const client = await connectTo((await openMerge([web, late])).url, "legacy");
    let news = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => void (news += 1));
    expect(await namesOf(client)).toEqual(["search", "fetch", "waybill_retrieve"]);
    isDown = false;
    await vi.waitFor(async () => expect(await namesOf(client)).toContain("notes_search"));
    expect(news).toBeGreaterThan(0);
    expect(await textOf(client, "web_search")).toBe("web search 0");
  });
});
