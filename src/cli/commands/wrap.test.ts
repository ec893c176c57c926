import { describe, expect, it } from "vitest";
import { usualFiles } from "../../doors/gateway/wrap/client-configs.ts";
import { realConfigs } from "../../doors/gateway/wrap/real-configs.fixture.ts";
import { homeWith, secretConfig, smallConfig } from "../wrap/home.fixture.ts";

const claude = ".claude.json";

describe("waybill wrap and unwrap", () => {
  it("name in the manual every client whose files are known", async () => {
    const machine = { home: "/home/ada", platform: "linux", env: {} } as const;
    const known = [...usualFiles(machine).keys()];
    const { stdout } = await homeWith({}).run("wrap --help");
    const words = stdout.replaceAll(/\s+/g, " ");
    expect(known.length).toBeGreaterThan(15);
    expect(known.filter((client) => !words.includes(client))).toEqual([]);
  });

  it.each(realConfigs)("give back what they took, byte for byte: $title", async ({ file, text }) => {
    const { run, read } = homeWith({ [file]: text });
    expect(await run(`wrap ${file} --yes`)).toMatchObject({ exitCode: 0 });
    expect(read(file)).not.toBe(text);
    expect(await run(`unwrap ${file} --yes`)).toMatchObject({ exitCode: 0 });
    expect(read(file)).toBe(text);
  });

  it("write the absolute paths of Node and of the command line, and the server's own command behind them", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    await run("wrap mcp.json --yes --budget 4000 --select --lean --untrusted --redact-successes");
    const { command, args } = JSON.parse(read("mcp.json").replace("// mine", "")).mcpServers.files;
    expect(command).toBe(process.execPath);
    expect(args[0]).toMatch(/[\\/]dist[\\/]cli[\\/]main\.js$/);
    expect(args.slice(1).join(" ")).toBe(
      "gateway --budget 4000 --select --lean --untrusted --redact-successes --name files --wrapped -- npx -y x",
    );
  });

  it("write rules for the tools of one server, which the gateway takes as they are", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    const rules =
      "--allow-tool read_* --hide-tool read_all --rename-tool read_*=see_* --describe-tool read_a=Reads";
    expect(await run(`wrap mcp.json --yes ${rules}`)).toMatchObject({ exitCode: 2 });
    await run(`wrap mcp.json --yes --server files ${rules}`);
    const { args } = JSON.parse(read("mcp.json").replace("// mine", "")).mcpServers.files;
    expect(args.slice(1).join(" ")).toBe(`gateway ${rules} --name files --wrapped -- npx -y x`);
    expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(smallConfig);
  });

  it.each([
    ["a store", "--store redis://127.0.0.1:1/0?tll=1"],
    ["a store of no known kind", "--store ftp://x/y"],
    ["a configuration that is not there", "--config nope.json"],
    ["a profile that nothing defines", "--profile nope"],
    ["names for tools that no client takes", "--server files --rename-tool a*=b"],
  ])("refuse what the gateway refuses, in its words, and write nothing: %s", async (_what, line) => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    const gateway = await run(`gateway ${line.replace("--server files ", "")} -- ${process.execPath} -v`);
    const wrapped = await run(`wrap mcp.json --yes ${line}`);
    expect(wrapped).toEqual({ exitCode: 2, stdout: "", stderr: gateway.stderr });
    expect(wrapped.stderr).toMatch(/^waybill: /);
    expect(read("mcp.json")).toBe(smallConfig);
  });

  it("write paths that count from anywhere, and a store that is no path as it is", async () => {
    const { run, read, at } = homeWith({ "mcp.json": smallConfig, "st.json": '{ "profile": "standard" }' });
    const words = async (line: string): Promise<string[]> => {
      await run(`wrap mcp.json --yes ${line}`);
      const { args } = JSON.parse(read("mcp.json").replace("// mine", "")).mcpServers.files;
      await run("unwrap mcp.json --yes");
      return args.slice(2, args.indexOf("--name"));
    };
    expect(await words("--config st.json --store ./arc3")).toEqual([
      "--config",
      at("st.json"),
      "--store",
      at("arc3"),
    ]);
    expect(await words("--store file:arc3")).toEqual(["--store", at("arc3")]);
    for (const place of ["memory", "off", "redis://127.0.0.1:1/0?ttl=1h"])
      expect(await words(`--store ${place}`)).toEqual(["--store", place]);
  });

  it("keep headers off the command line, and out of what is printed", async () => {
    const { run, read } = homeWith({ "mcp.json": secretConfig });
    const wrapped = await run("wrap mcp.json --yes");
    const { args, env } = JSON.parse(read("mcp.json")).mcpServers.api;
    expect(args.slice(1).join(" ")).toBe("gateway --name api --wrapped --upstream https://a.example/mcp");
    expect(JSON.parse(env.WAYBILL_UPSTREAM_HEADERS)).toEqual({ Authorization: "Bearer s3cr3t-t0ken" });
    const unwrapped = await run("unwrap mcp.json --dry-run --json");
    for (const { stdout, stderr } of [wrapped, unwrapped]) expect(stdout + stderr).not.toContain("s3cr3t");
  });

  it.each([
    ["a command", smallConfig],
    ["a url", secretConfig],
  ])(
    "give its name to an entry that an older version wrapped, and unwrap that too: %s",
    async (_what, text) => {
      const { run, read, write } = homeWith({ "mcp.json": text });
      await run("wrap mcp.json --yes");
      const named = read("mcp.json");
      write("mcp.json", named.replace(/"--name",\s*"\w+",\s*/, ""));
      expect(await run("wrap mcp.json --yes")).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining("0 servers wrapped, 1 server given its name") as string,
      });
      expect(read("mcp.json")).toBe(named);
      expect(await run("wrap mcp.json --yes")).toMatchObject({
        stdout: expect.stringContaining("nothing to change") as string,
      });
      expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
      expect(read("mcp.json")).toBe(text);
    },
  );

  it("undo only their own edits in a file that was changed since", async () => {
    const { run, read, write } = homeWith({ "mcp.json": smallConfig });
    await run("wrap mcp.json --yes");
    const edit = (text: string): string =>
      text.replace("// mine", '// ours\n  "theme": "dark",').replace('"x"]', '"x", "--more"]');
    write("mcp.json", edit(read("mcp.json")));
    expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(edit(smallConfig));
  });

  it.each(realConfigs.filter(({ file }) => file.endsWith(".json")))(
    "put every server back after another program wrote the file anew: $title",
    async ({ file, text, wraps }) => {
      const { run, read, write } = homeWith({ [file]: text });
      const meaning = async (): Promise<unknown> => {
        const { readConfigText } = await import("../../doors/gateway/wrap/rewrite-config.ts");
        return (await readConfigText(read(file), file)).value;
      };
      const before = await meaning();
      await run(`wrap ${file} --yes`);
      write(file, JSON.stringify(await meaning(), undefined, 4));
      const { exitCode, stdout } = await run(`unwrap ${file} --yes`);
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining(`${wraps.length} server`),
      });
      expect(await meaning()).toEqual(before);
    },
  );

  it("give the first file back after several wraps and a partial unwrap", async () => {
    const { text } = realConfigs[0] ?? { text: "" };
    const { run, read } = homeWith({ "c.json": text });
    await run("wrap c.json --yes --server memory");
    const first = read("c.json");
    await run("wrap c.json --yes");
    expect(read("c.json")).not.toBe(first);
    await run("unwrap c.json --yes --server filesystem");
    expect(read("c.json")).toBe(first);
    await run("unwrap c.json --yes");
    expect(read("c.json")).toBe(text);
  });

  it("leave a second wrap without anything to do", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    await run("wrap mcp.json --yes");
    const once = read("mcp.json");
    const { exitCode, stdout } = await run("wrap mcp.json --yes");
    expect({ exitCode, again: read("mcp.json") }).toEqual({ exitCode: 0, again: once });
    expect(stdout).toContain("nothing to change");
  });

  it("refuse to guess what a url entry was when what they wrote was changed", async () => {
    const { run, read, write } = homeWith({ "mcp.json": secretConfig });
    await run("wrap mcp.json --yes");
    write("mcp.json", read("mcp.json").replace("https://a.example/mcp", "https://b.example/mcp"));
    const changed = read("mcp.json");
    const { exitCode, stdout } = await run("unwrap mcp.json --yes");
    expect({ exitCode, text: read("mcp.json") }).toEqual({ exitCode: 1, text: changed });
    expect(stdout).toContain("refused  api: its command or args were changed since");
  });

  it("work without the record for commands, and refuse without it for urls", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig, "url.json": secretConfig });
    await run("wrap mcp.json --yes");
    await run("wrap url.json --yes");
    const elsewhere = { env: { XDG_STATE_HOME: "/nonexistent/state" } };
    expect(await run("unwrap mcp.json --yes", elsewhere)).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(smallConfig);
    expect(await run("unwrap url.json --yes", elsewhere)).toMatchObject({ exitCode: 1 });
  });

  it("leave alone what a person put behind the gateway by hand", async () => {
    const text = '{ "mcpServers": { "a": { "command": "waybill", "args": ["gateway", "--", "npx", "x"] } } }';
    const { run, read } = homeWith({ "mcp.json": text });
    expect(await run("wrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(await run("unwrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
    expect(read("mcp.json")).toBe(text);
  });
});

describe("the choice of files", () => {
  const codex = '[mcp_servers.a]\ncommand = "npx"\n';

  it("is all known clients of the user without a file", async () => {
    const files = { [claude]: smallConfig, ".cursor/mcp.json": smallConfig, ".codex/config.toml": codex };
    const { run, read } = homeWith(files);
    const { exitCode, stdout } = await run("wrap --all --yes");
    expect(exitCode).toBe(0);
    for (const client of ["Claude Code", "Cursor", "Codex"]) expect(stdout).toContain(client);
    expect(await run("unwrap --all --yes")).toMatchObject({ exitCode: 0 });
    for (const [file, text] of Object.entries(files)) expect(read(file)).toBe(text);
  });

  it("may be a file of a project, with a word about its paths", async () => {
    const { run } = homeWith({ "shop/.mcp.json": smallConfig, ".cursor/mcp.json": smallConfig });
    const remark = "belongs to a project: the paths written to it are those of this machine.";
    expect((await run("wrap shop/.mcp.json --dry-run")).stderr).toContain(remark);
    expect((await run("wrap .cursor/mcp.json --dry-run")).stderr).not.toContain(remark);
  });

  it("says where it looked when there is no config", async () => {
    const { exitCode, stdout } = await homeWith({}).run("wrap --all --yes");
    expect({ exitCode, first: stdout.split("\n")[0] }).toEqual({
      exitCode: 0,
      first: "No config of a known client was found. Looked for:",
    });
    expect(stdout).toContain("config.toml");
  });

  it("goes on with the others when one file cannot be read, and says so", async () => {
    const { run, read } = homeWith({ [claude]: "{ broken", ".codex/config.toml": codex });
    const { exitCode, stderr } = await run("wrap --all --yes");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("It is not valid JSON");
    expect(read(claude)).toBe("{ broken");
    expect(read(".codex/config.toml")).toContain("--wrapped");
  });

  it.each([
    ["wrap --yes", "--yes without a file"],
    ["wrap mcp.json --all", "exclude each other"],
    ["wrap mcp.json --server fils", "There is no server fils. Did you mean files?"],
    ["wrap none.json", "There is no such file."],
    ["wrap .", "It is not a file."],
    ["wrap broken.json", "It is not valid JSON at line 1, column 3. This is not a JSON word."],
    ["wrap twice.json", 'The key "a" is there twice'],
    ["wrap broken.toml", "It is not valid TOML"],
  ])("is refused with exit code 2: %s", async (line, message) => {
    const twice = '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }';
    const home = homeWith({
      "mcp.json": smallConfig,
      "broken.json": "{ broken",
      "broken.toml": "[a",
      "twice.json": twice,
    });
    const { exitCode, stderr } = await home.run(line);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});

describe("the question", () => {
  it("is asked on a terminal after the change was shown, and a yes writes it", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    const { exitCode, stderr } = await run("wrap mcp.json --no-color", { terminal: true, typed: "y\n" });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/ {2}- +"files": .*\n {2}\+ +"files": .*--wrapped.*\n[^]*Write this\? \[y\/N\]/);
    expect(read("mcp.json")).toContain("--wrapped");
  });

  it.each(["n\n", "\n", "", "maybe\n"])(
    "answered %j writes nothing and ends with exit code 1",
    async (typed) => {
      const { run, read } = homeWith({ "mcp.json": smallConfig });
      expect(await run("wrap mcp.json", { terminal: true, typed })).toMatchObject({ exitCode: 1 });
      expect(read("mcp.json")).toBe(smallConfig);
    },
  );

  it("is asked for each file, and each answer counts for its own", async () => {
    const { run, read } = homeWith({ [claude]: smallConfig, ".cursor/mcp.json": smallConfig });
    await run("wrap", { terminal: true, typed: "n\nyes\n" });
    expect(read(claude)).toBe(smallConfig);
    expect(read(".cursor/mcp.json")).toContain("--wrapped");
  });

  it("cannot be asked without a terminal: exit code 2, unless --dry-run wants to look only", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig });
    const unasked = await run("wrap mcp.json");
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain("there is no terminal to ask at");
    expect(await run("wrap mcp.json --dry-run")).toMatchObject({ exitCode: 0, stdout: unasked.stdout });
    expect(read("mcp.json")).toBe(smallConfig);
  });

  it("is told, without a terminal to ask at, the one line that writes it", async () => {
    const { run, read } = homeWith({ "mcp.json": smallConfig, [claude]: smallConfig });
    expect((await run("wrap mcp.json")).stderr).toContain("\nGive --yes to write it, or --dry-run");
    expect((await run("wrap")).stderr).toContain("\nGive --all --yes to write it, or --dry-run");
    expect((await run("unwrap --server files")).exitCode).toBe(0);
    expect(await run("wrap --all --yes")).toMatchObject({ exitCode: 0 });
    expect(read(claude)).toContain("--wrapped");
    expect((await run("unwrap")).stderr).toContain("Give --all --yes");
  });

  it("shows colours on a terminal", async () => {
    const { stderr } = await homeWith({ "mcp.json": smallConfig }).run("wrap mcp.json", {
      terminal: true,
      typed: "n\n",
    });
    expect(stderr).toContain("\u001b[32m  + ");
  });
});

describe("a config in YAML", () => {
  const goose = "extensions:\n  files:\n    type: stdio\n    cmd: npx # mine\n    args: [-y, files]\n";
  const byHand = "write in front of the command of a server: waybill gateway --name <server> --";

  it("is named where it is found, with what to do by hand, and is no failure", async () => {
    const file = ".config/goose/config.yaml";
    const { run, read } = homeWith({ [file]: goose, ".cursor/mcp.json": smallConfig });
    const { exitCode, stderr } = await run("wrap --all --yes");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("Goose") });
    expect(stderr).toContain(byHand);
    expect(read(file)).toBe(goose);
  });

  it("is refused where it is given, and stays as it is", async () => {
    const { run, read } = homeWith({ "config.yaml": goose });
    const { exitCode, stderr } = await run("wrap config.yaml --yes");
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(byHand);
    expect(read("config.yaml")).toBe(goose);
  });
});

describe("waybill wrap --status", () => {
  it("says of each server how it stands, and why some cannot be wrapped", async () => {
    const old = (realConfigs[7]?.text ?? "").replace("http://127.0.0.1:3845/mcp", "ws://127.0.0.1:3845/mcp");
    const { run, read, write } = homeWith({ "mcp_config.json": old });
    await run("wrap mcp_config.json --yes --server git");
    // A checkout may not be built, so a file that is there takes the place of the command line.
    write(
      "mcp_config.json",
      read("mcp_config.json").replace(/"[^"]*main\.js"/, JSON.stringify(process.execPath)),
    );
    const { exitCode, stdout } = await run("wrap mcp_config.json --status");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/figma +cannot be wrapped +its url is not one of http or https/);
    expect(stdout).toMatch(/sentry +not wrapped\n/);
    expect(stdout).toMatch(/git +wrapped\n3 servers, 1 wrapped\n/);
  });

  it("sees every file that was written, of known clients and of others, and none twice", async () => {
    const files = [
      ".gemini/settings.json",
      ".config/opencode/opencode.jsonc",
      ".cline/data/settings/cline_mcp_settings.json",
      ".config/Code - Insiders/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
      ".config/amp/settings.json",
      ".continue/mcpServers/files.json",
      "shop/.mcp.json",
      "odd.json",
    ];
    const { run, at } = homeWith(Object.fromEntries(files.map((file) => [file, smallConfig])));
    expect(await run("wrap --all --yes")).toMatchObject({ exitCode: 0 });
    for (const file of files.slice(-2)) await run(`wrap ${file} --yes`);
    const { stdout } = await run("wrap --status");
    const seen = files.map((file) => stdout.split(`  ${at(file)}\n`).length - 1);
    expect(seen).toEqual(files.map(() => 1));
    expect(stdout.match(/^ +files +(wrapped|broken)/gm)).toHaveLength(files.length);
    await run("unwrap odd.json --yes");
    expect((await run("wrap --status")).stdout).not.toContain("odd.json");
  });

  it("finds a gateway that is not there any more", async () => {
    const { run, read, write } = homeWith({ "mcp.json": smallConfig });
    await run("wrap mcp.json --yes");
    write("mcp.json", read("mcp.json").replace(process.execPath, "/gone/node"));
    const { exitCode, stdout } = await run("wrap mcp.json --status");
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining("/gone/node is not there any more"),
    });
  });
});
