import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { homeWith } from "../wrap/home.fixture.ts";

const three = `{
  // kept
  "theme": "dark",
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files-server"], "env": { "TOKEN": "s3cr3t-t0ken" } },
    "own": { "command": "own-server", "envFile": ".env" },
    "api": { "url": "https://a.example/mcp", "headers": { "Authorization": "Bearer s3cr3t-k3y" } },
    "issues": { "url": "https://b.example/mcp" }
  }
}
`;

function entryIn(text: string): { readonly command: string; readonly args: readonly string[] } {
  return JSON.parse(text.replace("// kept", "")).mcpServers.waybill;
}

describe("waybill wrap --merge", () => {
  it("writes one entry in place of many, and what they were into a file of the owner alone", async () => {
    const { run, read } = homeWith({ "mcp.json": three });
    const wrapped = await run("wrap mcp.json --merge --yes --budget 4000");
    expect(wrapped).toMatchObject({ exitCode: 0 });
    expect(wrapped.stdout).toContain("3 servers wrapped");
    expect(wrapped.stdout + wrapped.stderr).not.toContain("s3cr3t");
    const text = read("mcp.json");
    expect(text).toContain("// kept");
    expect(Object.keys(JSON.parse(text.replace("// kept", "")).mcpServers)).toEqual(["waybill", "own"]);
    const { command, args } = entryIn(text);
    expect(command).toBe(process.execPath);
    const [, ...words] = args;
    const servers = words[4] ?? "";
    expect(words).toEqual(["gateway", "--budget", "4000", "--config", servers, "--wrapped"]);
    expect(statSync(servers).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(servers, "utf8"))).toEqual({
      upstreams: {
        files: {
          command: "npx",
          args: ["-y", "files-server"],
          env: { TOKEN: "s3cr3t-t0ken" },
          inherit_env: true,
        },
        api: { url: "https://a.example/mcp", headers: { Authorization: "Bearer s3cr3t-k3y" } },
        issues: { url: "https://b.example/mcp", auth: "oauth" },
      },
    });
  });

  it("is taken back byte for byte, with the file of its servers", async () => {
    const { run, read } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    const servers = entryIn(read("mcp.json")).args[3] ?? "";
    expect(await run("wrap mcp.json --merge --yes")).toMatchObject({
      stdout: expect.stringContaining("nothing to change") as string,
    });
    expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(three);
    expect(existsSync(servers)).toBe(false);
  });

  it("is left as it is by unwrap where the file was changed since, and unwrap says so", async () => {
    const { run, read, write } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    const changed = read("mcp.json").replace("dark", "light");
    write("mcp.json", changed);
    const unwrapped = await run("unwrap mcp.json --yes --server waybill");
    expect(unwrapped.exitCode).toBe(1);
    expect(unwrapped.stdout).toContain("the file was changed since its servers were merged");
    expect(read("mcp.json")).toBe(changed);
  });

  it("leaves what only a client understands, and what is alone", async () => {
    const { run, read } = homeWith({
      "mcp.json": JSON.stringify({
        mcpServers: {
          a: { command: "a", env: { KEY: "${env:KEY}" } },
          b: { command: "b", autoApprove: ["x"] },
          c: { command: "c" },
        },
      }),
    });
    const before = read("mcp.json");
    const { stdout } = await run("wrap mcp.json --merge --yes");
    expect(stdout).toContain("it has variables, which only its client fills in");
    expect(stdout).toContain('it has "autoApprove", which only its client understands');
    expect(stdout).toContain("there is no other to merge it with");
    expect(read("mcp.json")).toBe(before);
  });

  it("refuses a configuration beside it, and TOML", async () => {
    const { run } = homeWith({ "mcp.json": three, "config.toml": '[mcp_servers.a]\ncommand = "a"\n' });
    expect(await run("wrap mcp.json --merge --yes --config x.json")).toMatchObject({ exitCode: 2 });
    const toml = await run("wrap config.toml --merge --yes");
    expect(toml.stderr).toContain("It is TOML, in which entries are not merged");
  });
});
