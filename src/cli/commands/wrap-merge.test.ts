import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
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
    expect(wrapped.stdout).toContain("1 entry in place of 3 servers; the file as it was: ");
    expect(wrapped.stdout + wrapped.stderr).not.toContain("s3cr3t");
    expect(wrapped.stdout.match(/waybill login \S+/g)).toEqual(["waybill login https://b.example/mcp`,"]);
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

  it("leaves the servers of opencode alone, local and remote ones", async () => {
    const mcp = {
      near: { type: "local", command: ["near-server"] },
      far: { type: "remote", url: "https://a.example/mcp" },
      other: { type: "remote", url: "https://b.example/mcp" },
    };
    const before = JSON.stringify({ mcp });
    const { run, read } = homeWith({ "opencode.json": before });
    expect((await run("wrap opencode.json --merge --yes")).stdout).toContain("which is not merged");
    expect(read("opencode.json")).toBe(before);
  });

  it("is taken back byte for byte, with the file of its servers", async () => {
    const { run, read } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    const servers = entryIn(read("mcp.json")).args[3] ?? "";
    expect(await run("wrap mcp.json --merge --yes")).toMatchObject({
      stdout: expect.stringContaining("nothing to change") as string,
    });
    expect(await run("unwrap mcp.json --yes")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("3 servers back in place of 1 entry") as string,
    });
    expect(read("mcp.json")).toBe(three);
    expect(existsSync(servers)).toBe(false);
  });

  it("shows no header or variable of a server that unwrap puts back, whatever its name", async () => {
    const named = three
      .replace('"TOKEN": "s3cr3t', '"ACME": "s3cr3t')
      .replace('"Authorization": "Bearer ', '"X-Acme": "');
    const { run, read } = homeWith({ "mcp.json": named });
    await run("wrap mcp.json --merge --yes");
    const { stdout } = await run("unwrap mcp.json --yes");
    expect(read("mcp.json")).toBe(named);
    expect(stdout).toContain('"ACME": "***"');
    expect(stdout).not.toContain("s3cr3t");
  });

  it("is left as it is by unwrap where the file was changed since, and unwrap says so", async () => {
    const { run, read, write } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    const changed = read("mcp.json").replace("dark", "light");
    write("mcp.json", changed);
    const unwrapped = await run("unwrap mcp.json --yes --server waybill");
    expect(unwrapped.exitCode).toBe(1);
    expect(unwrapped.stdout).toContain("the file was changed since its servers were merged");
    const [, backup = "", record = ""] =
      /from the file as it was, (\S+) \(its record: (\S+)\)/.exec(unwrapped.stdout) ?? [];
    expect(readFileSync(backup, "utf8")).toBe(three);
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({
      file: expect.stringMatching(/mcp\.json$/) as string,
    });
    const { stdout } = await run("wrap mcp.json --status --json");
    expect(JSON.parse(stdout).data.files[0].servers[0]).toMatchObject({
      name: "waybill",
      state: expect.any(String) as string,
      in_place_of: ["files", "api", "issues"],
      backup,
      record,
    });
    expect(read("mcp.json")).toBe(changed);
  });

  it("is in the status with its servers, which are counted as everywhere else", async () => {
    const { run, read, write } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    // A checkout may not be built, so a file that is there takes the place of the command line.
    write("mcp.json", read("mcp.json").replace(/"[^"]*main\.js"/, JSON.stringify(process.execPath)));
    const { stdout } = await run("wrap mcp.json --status");
    expect(stdout).toMatch(
      /waybill +wrapped +in place of files, api, issues; the file as it was: \S+mcp\.json\n/,
    );
    expect(stdout).toContain("4 servers, 3 wrapped (1 entry in place of 3 servers)");
    rmSync(entryIn(read("mcp.json")).args[3] ?? "");
    const broken = await run("wrap mcp.json --status");
    expect(broken).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("is not there any more") as string,
    });
  });

  it("is put back with the whole file only", async () => {
    const { run, read } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --yes --server own");
    await run("wrap mcp.json --merge --yes");
    const one = await run("unwrap mcp.json --yes --server waybill");
    expect(one.stdout).toContain("put back with the whole file: leave out --server");
    const all = await run("unwrap mcp.json --yes");
    expect(all.stdout).toContain("3 servers back in place of 1 entry, 1 server unwrapped");
    expect(read("mcp.json")).toBe(three);
  });

  it("takes a server that came since, and unwrap gives back the file with it", async () => {
    const { run, read, write } = homeWith({ "mcp.json": three });
    const extra = '"extra": { "command": "extra-server", "args": [/* mine */ "-x"] }';
    const add = (text: string): string => text.replace(/\n  }\n}\n$/, `,\n    ${extra}\n  }\n}\n`);
    await run("wrap mcp.json --merge --yes");
    const merged = read("mcp.json");
    write("mcp.json", add(merged));
    const wrapped = await run("wrap mcp.json --merge --yes");
    expect(wrapped).toMatchObject({ exitCode: 0 });
    expect(wrapped.stdout).toContain("1 entry in place of 4 servers");
    expect(read("mcp.json")).toBe(merged);
    const servers = JSON.parse(readFileSync(entryIn(merged).args[3] ?? "", "utf8")).upstreams;
    expect(Object.keys(servers)).toEqual(["files", "api", "issues", "extra"]);
    expect(servers.extra).toEqual({ command: "extra-server", args: ["-x"], inherit_env: true });
    expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(add(three));
  });

  it.each([
    ["more than new servers changed in the file", "", "more than new servers changed in the file since"],
    ["other options are asked for", "--budget 4000", "is wrapped with other options"],
  ])("says what to do with a server that came since where %s", async (_what, line, says) => {
    const { run, read, write } = homeWith({ "mcp.json": three });
    await run("wrap mcp.json --merge --yes");
    const theme = line === "" ? "light" : "dark";
    write(
      "mcp.json",
      read("mcp.json").replace('"own"', '"extra": { "command": "x" },\n    "own"').replace("dark", theme),
    );
    const before = read("mcp.json");
    const { stdout } = await run(`wrap mcp.json --merge --yes ${line}`.trim());
    expect(stdout).toContain(says);
    expect(stdout).not.toContain("no other to merge it with");
    expect(read("mcp.json")).toBe(before);
    expect(await run("wrap mcp.json --yes --server extra")).toMatchObject({ exitCode: 0 });
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
    const { run } = homeWith({
      "mcp.json": three,
      "config.toml": '[mcp_servers.a]\ncommand = "a"\n',
    });
    const beside = await run("wrap mcp.json --merge --yes --config x.json");
    expect(beside).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--merge writes") as string,
    });
    const toml = await run("wrap config.toml --merge --yes");
    expect(toml.stderr).toContain("It is TOML, in which entries are not merged");
  });
});
