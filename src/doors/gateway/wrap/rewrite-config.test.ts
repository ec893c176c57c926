import { describe, expect, it } from "vitest";
import { serverReach } from "./measure-server.ts";
import { readConfigText, unwrapConfig, wrapConfig } from "./rewrite-config.ts";
import { realConfigs } from "./real-configs.fixture.ts";

const launcher = { program: "/opt/node/bin/node", args: ["/opt/waybill/dist/cli/main.js", "gateway"] };

async function wrapText(text: string, file: string) {
  return wrapConfig(await readConfigText(text, file), file, { launcher, selection: undefined, records: [] });
}

async function reasonOf(entry: object, isNamed = false): Promise<string | undefined> {
  const config = await readConfigText(JSON.stringify({ mcpServers: { a: entry } }), "mcp.json");
  const selection = isNamed ? () => true : undefined;
  const { outcomes } = await wrapConfig(config, "mcp.json", { launcher, selection, records: [] });
  return outcomes[0]?.reason;
}

describe("an entry that is left as it is", () => {
  const url = "https://a.example/mcp";
  const headers = { "X-Key": "k" };

  it.each([
    [{ url: `${url}?key=1`, headers }, /may hold a key/],
    [{ url: "https://me:pw@a.example/mcp", headers }, /may hold a key/],
    [{ url, headers, headersHelper: "/bin/x" }, /makes its headers/],
    [{ url, headers, env: {} }, /both a url and an env/],
    [{ url, command: "npx" }, /both a command and a url/],
    [{ url, headers: { "X-Key": 1 } }, /headers are not texts/],
    [{ url: "ws://a.example", headers }, /not one of http/],
    [{ command: "" }, /not a text/],
    [{ command: "~/bin/x" }, /begins with ~/],
    [{ command: "npx", args: [1] }, /not a list of texts/],
    [{ command: "npx", args: "x" }, /not a list of texts/],
    [{ settings: {} }, /neither a command nor a url/],
    [{ command: "/usr/lib/node_modules/waybill/dist/cli/main.js", args: ["gateway", "--", "x"] }, /already/],
    [{ command: "npx", args: ["-y", "waybill@1", "gateway", "--", "x"] }, /already/],
  ])("says why: %j", async (entry, reason) => {
    expect(await reasonOf(entry)).toMatch(reason);
  });

  it("is wrapped nevertheless if a person names it, where only the url was in doubt", async () => {
    expect(await reasonOf({ url: `${url}?key=1`, headers }, true)).toBeUndefined();
    expect(await reasonOf({ url: "ws://a.example", headers }, true)).toMatch(/not one of http/);
  });
});

describe("an entry of the transport of 2024", () => {
  const headers = { "X-Key": "k" };

  it.each([
    [{ type: "sse", url: "https://a.example/sse", headers }, ["--transport", "sse"]],
    [{ type: "http", url: "https://a.example/mcp", headers }, []],
    // The gateway finds out itself.
    [{ url: "https://a.example/sse", headers }, []],
  ])("is wrapped, and what it says of its transport stays said: %j", async (entry, said) => {
    const before = JSON.stringify({ mcpServers: { a: entry } });
    const wrapped = await wrapText(before, "mcp.json");
    const { mcpServers } = JSON.parse(wrapped.text) as {
      mcpServers: { a: { args: string[]; type?: string } };
    };
    const { args, type } = mcpServers.a;
    expect(args.slice(args.indexOf("--name") + 2)).toEqual([...said, "--wrapped", "--upstream", entry.url]);
    expect(type).toBe("type" in entry ? "stdio" : undefined);
    const [own] = (await readConfigText(wrapped.text, "mcp.json")).entries;
    expect(own && serverReach(own, { env: {}, home: undefined })).toMatchObject({
      url: entry.url,
      headers,
      transport: said[1],
    });
  });
});

describe("a remote server of opencode", () => {
  const url = "https://a.example/mcp";
  const written = (entry: object, key = "mcp") => JSON.stringify({ [key]: { a: entry } });

  it("becomes a local one, with its headers in the environment", async () => {
    const headers = { "X-Key": "k" };
    const entry = { type: "remote", url, headers, enabled: true };
    const { text } = await wrapText(written(entry), "opencode.json");
    const args = ["--name", "a", "--wrapped", "--upstream", url];
    expect(JSON.parse(text)).toEqual({
      mcp: {
        a: {
          type: "local",
          command: [launcher.program, ...launcher.args, ...args],
          environment: { WAYBILL_UPSTREAM_HEADERS: JSON.stringify(headers) },
          enabled: true,
        },
      },
    });
    const [own] = (await readConfigText(text, "opencode.json")).entries;
    expect(own && serverReach(own, { env: {}, home: undefined })).toMatchObject({ url, headers });
  });

  it("becomes one under `mcp.servers` too, where opencode has it from its second version on", async () => {
    const { text } = await wrapText(
      JSON.stringify({ mcp: { servers: { a: { type: "remote", url } } } }),
      "opencode.json",
    );
    expect(JSON.parse(text)).toMatchObject({
      mcp: { servers: { a: { type: "local", command: expect.arrayContaining([url]) as unknown } } },
    });
  });

  it.each([
    [{ type: "remote", url, headers: {} }, "mcp", "its headers are empty"],
    [{ type: "remote", url, oauth: false }, "mcp", "it has oauth, which opencode refuses"],
    [{ type: "remote", url }, "mcpServers", "known of opencode alone"],
  ])(
    "is left where opencode would refuse the local one, or is not its client: %j",
    async (entry, key, why) => {
      const before = written(entry, key);
      const { text, outcomes } = await wrapText(before, "opencode.json");
      expect(text).toBe(before);
      expect(outcomes[0]?.reason).toContain(why);
    },
  );
});

describe("an entry that signs in", () => {
  const url = "https://a.example/mcp";
  const headers = { "X-Key": "k" };

  it.each([
    [{ url }, "it may want a sign-in: run `waybill login https://a.example/mcp`, or open"],
    [{ url, headers: {} }, "it may want a sign-in: run `waybill login https://a.example/mcp`, or open"],
    [{ url, headers, oauth: {} }, "it wants a sign-in: run `waybill login https://a.example/mcp`, or open"],
    [{ url, oauth: { clientId: "x" } }, "with the client id of this entry as --client-id, or open"],
    [{ url, auth: { CLIENT_ID: "x" } }, "with the client id of this entry as --client-id, or open"],
  ])("is wrapped, and what a person does next is said: %j", async (entry, reason) => {
    expect(await reasonOf(entry)).toContain(reason);
    const config = await readConfigText(JSON.stringify({ mcpServers: { a: entry } }), "mcp.json");
    const { text, outcomes } = await wrapConfig(config, "mcp.json", {
      launcher,
      selection: undefined,
      records: [],
    });
    expect(outcomes[0]?.state).toBe("wrap");
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: { a: { args: expect.arrayContaining(["--upstream", url]) } },
    });
  });

  it("needs nothing of a person who has given it a fixed header", async () => {
    expect(await reasonOf({ url, headers })).toBeUndefined();
  });
});

describe("an entry that is wrapped already", () => {
  const text = JSON.stringify({ mcpServers: { files: { command: "npx", args: ["files"] } } });
  const asked = { program: launcher.program, args: [...launcher.args, "--lean", "--hide-tool", "write_*"] };
  const wrapWith = async (given: string, options: typeof launcher) =>
    wrapConfig(await readConfigText(given, "mcp.json"), "mcp.json", {
      launcher: options,
      selection: undefined,
      records: [],
    });

  it("is refused with options that it was not wrapped with, so that no reader takes them for written", async () => {
    const once = await wrapWith(text, launcher);
    const { text: twice, outcomes } = await wrapWith(once.text, asked);
    expect(twice).toBe(once.text);
    expect(outcomes).toMatchObject([
      { state: "refused", reason: expect.stringContaining("run `waybill unwrap` for it") as string },
    ]);
  });

  it("is wrapped already with the options that it has", async () => {
    const once = await wrapWith(text, asked);
    expect((await wrapWith(once.text, asked)).outcomes).toMatchObject([{ state: "wrapped" }]);
    expect((await wrapWith(once.text, launcher)).outcomes).toMatchObject([{ state: "wrapped" }]);
  });
});

describe("a foreign edit in a Codex config", () => {
  const text = realConfigs.find(({ title }) => title === "Codex")?.text ?? "";
  const edit = (given: string): string =>
    given
      .replace('model = "gpt-5"', 'model = "gpt-6"\nnotify = ["x"]')
      .replace("startup_timeout_sec = 20", "startup_timeout_sec = 40 # slow")
      .replace("[profiles.fast]", '[mcp_servers.new]\ncommand = "new-mcp"\n\n[profiles.fast]');

  it("stays, and only what wrap wrote is taken back", async () => {
    const { text: wrapped, records } = await wrapText(text, "config.toml");
    const config = await readConfigText(edit(wrapped), "config.toml");
    const undone = await unwrapConfig(config, "config.toml", { selection: undefined, records });
    expect(undone.text).toBe(edit(text));
  });
});

describe.each(realConfigs)("$title", ({ file, text, wraps }) => {
  it("is wrapped where it can be, and says why where not", async () => {
    const { outcomes } = await wrapText(text, file);
    const wrapped = outcomes.filter(({ state }) => state === "wrap").map(({ entry }) => entry.name);
    expect(wrapped).toEqual(wraps);
    const left = outcomes.filter(({ state }) => state === "left");
    expect(left.every(({ reason }) => reason !== undefined && reason !== "")).toBe(true);
  });

  it("comes back byte for byte, entry by entry, without its backup", async () => {
    const wrapped = await wrapText(text, file);
    expect(wrapped.text).not.toBe(text);
    const config = await readConfigText(wrapped.text, file);
    const undone = await unwrapConfig(config, file, { selection: undefined, records: wrapped.records });
    expect(undone.text).toBe(text);
    expect(undone.records).toEqual([]);
  });

  it("is not wrapped twice", async () => {
    const once = await wrapText(text, file);
    const twice = await wrapText(once.text, file);
    expect(twice.text).toBe(once.text);
  });
});
