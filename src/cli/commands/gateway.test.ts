import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The gateway's own lines, without what a server writes that was probed and ended at once. */
function ownLines(stderr: string): string[] {
  return stderr.split("\n").filter((line) => !line.startsWith("["));
}

async function takePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("waybill gateway, where it cannot start", () => {
  it.each([
    [["--rename-tool", "a=c", "--rename-tool", "b=c", "--", "x"], /"a" and "b" would both be "c"/],
    [["--hide-tool", "a"], /go with a server on the command line.*hide, rename_tools/s],
    [["--rename-tool", "a", "--", "x"], /Write it as name=text/],
    [["--describe-tool", "a=b", "--describe-tool", "a=c", "--", "x"], /a is given twice/],
  ])("says what is wrong with rules for tools: %j", async (words, why) => {
    const { exitCode, stderr } = await runInProcess(["gateway", "--store", "memory", ...words]);
    expect(stderr).toMatch(why);
    expect(exitCode).toBe(2);
  });

  it("says that its port is taken and what to do", async () => {
    const port = await takePort();
    const line = ["gateway", "--http", String(port), "--store", "memory", "--", process.execPath];
    expect(await runInProcess(line)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: [
        `waybill: Something else listens on port ${port} of 127.0.0.1 already.`,
        "Stop it, or choose another port with --http; 0 takes a free one.",
        "",
      ].join("\n"),
    });
  });

  it.each([
    ["on stdio", []],
    ["over HTTP", ["--http", "0"]],
  ])("refuses a store that is a file %s, and starts no server", async (_where, more) => {
    const folder = makeFolder();
    const [file, marker] = [join(folder, "a-file"), join(folder, "marker")];
    writeFileSync(file, "");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
    const server = [process.execPath, "-e", script];
    const { exitCode, stderr } = await runInProcess(["gateway", ...more, "--store", file, "--", ...server]);
    expect(stderr).toBe(
      `waybill: --store needs a folder, but ${JSON.stringify(file)} is a file: name another folder.\n`,
    );
    expect(exitCode).toBe(2);
    expect(existsSync(marker)).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "refuses a folder in which no user can write, root included, and starts no server",
    async () => {
      const marker = join(makeFolder(), "marker");
      const script = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
      const line = ["gateway", "--store", "/proc/nope", "--", process.execPath, "-e", script];
      expect(await runInProcess(line)).toEqual({
        exitCode: 2,
        stdout: "",
        stderr:
          'waybill: --store cannot be written: this process may not write in "/proc". Allow it, or name another folder.\n',
      });
      expect(existsSync(marker)).toBe(false);
    },
  );

  it.each([
    [["--http", "0", "--store", "/proc/nope"], "--store cannot be written: this process may not write"],
    [
      ["--store", "redis://ann:s3cret@cache?tll=1d"],
      'The Redis URL has the unknown parameter "tll". Allowed: cluster, ttl, maxBytes, prefix.',
    ],
    [
      ["--store", "redis://ann:s3cret@cache?ttl=1"],
      'The parameter ttl of the Redis URL is "1", which cannot be used.',
    ],
    [["--store-ttl", "soon"], '--store-ttl: "store.ttl" is "soon". Write a number with a unit'],
    [["--store-max-bytes", "1g"], "a whole number of 1 or more"],
    [["--archive", "all"], "Allowed choices are off, cuts"],
  ])("refuses %j before a server is started", async (words, says) => {
    const marker = join(makeFolder(), "marker");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
    const { exitCode, stderr } = await runInProcess([
      "gateway",
      ...words,
      "--",
      process.execPath,
      "-e",
      script,
    ]);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("s3cret");
    expect(exitCode).toBe(2);
    expect(existsSync(marker)).toBe(false);
  });

  it.each([[], ["--http", "0"]])("refuses a Redis store without its package, with %j", async (...words) => {
    const loader = Module as unknown as { _resolveFilename: (name: string, ...more: unknown[]) => string };
    const resolve = loader._resolveFilename;
    onTestFinished(() => void (loader._resolveFilename = resolve));
    loader._resolveFilename = (name, ...more) => {
      if (name !== "@redis/client") return resolve(name, ...more);
      throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
    };
    const store = ["--store", "redis://127.0.0.1:1", "--", process.execPath];
    const { exitCode, stderr } = await runInProcess(["gateway", ...words, ...store]);
    expect(stderr).toBe(
      "waybill: --store needs the package @redis/client, which is not installed: run `npm i @redis/client`.\n",
    );
    expect(exitCode).toBe(2);
  });

  it.each([
    [["--upstream", "ftp://x"], "--upstream is not the address of a server: write one that begins with"],
    [
      ["--upstream", "http://127.0.0.1:9", "--header", "X-Key: \u0001"],
      '--header "X-Key" has characters that no header can carry.',
    ],
    [["--name", "a b", "--", "srv"], '--name "a b" cannot be part of an address. Name it with letters'],
    [["--profile", "nope", "--", "srv"], "--profile"],
    [["--transport", "sse", "--", "srv"], "--transport goes with --upstream"],
    [["--dashboard", "70000", "--", "srv"], "Give a port from 0 to 65535"],
    [["--dashboard-actions", "--", "srv"], "--dashboard-actions has no effect without --dashboard."],
    [["--dashboard-bodies", "--", "srv"], "--dashboard-bodies has no effect without --dashboard."],
  ])("names what was typed: %j", async (words, says) => {
    const { exitCode, stderr } = await runInProcess(["gateway", "--store", "memory", ...words]);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("upstreams.");
    expect(exitCode).toBe(2);
  });
});

describe("the log of waybill gateway", () => {
  // It says something on stderr, sends a line that is no message, and ends when its input does.
  const chatty = `console.error("hello"); console.log("no message"); process.stdin.resume();`;
  const start = (more: readonly string[]) => {
    const line = ["gateway", "--store", "memory", "--summary", ...more, "--", process.execPath, "-e", chatty];
    const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...line]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    return { child, stderr: () => stderr };
  };

  it.each([
    [
      "lines for people",
      [],
      /^(\[server\] hello|waybill: gateway-dropped: upstream=server what=".*"|\w.* {2,}\S.*)$/,
    ],
    ["JSON", ["--log", "json"], /^\{"level":\d0,"time":\d+,"pid":\d+,"name":"waybill","msg":"[\w-]+".*\}$/],
  ])("is %s, and nothing else", async (_form, more, each) => {
    const { child, stderr } = start(more);
    await vi.waitFor(() => expect(stderr()).toMatch(/hello[^]*dropped|dropped[^]*hello/), {
      timeout: 20_000,
    });
    // The gateway did what it was told: that is no failure.
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(0);
    const lines = stderr().trimEnd().split("\n");
    expect(lines.filter((line) => !each.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(2);
  });
});

describe("waybill gateway --config", () => {
  const serve = async (config: object, ...more: readonly string[]) => {
    const file = join(makeFolder(), "gateway.json");
    writeFileSync(file, JSON.stringify(config, undefined, 1));
    return runInProcess(["gateway", "--config", file, "--store", "memory", ...more], { stopsAtOnce: true });
  };
  const server = { command: process.execPath };

  it("serves every upstream of the file at a path of its own", async () => {
    const upstreams = { files: server, web: { url: "http://127.0.0.1:9/mcp", auth: "passthrough" } };
    const { exitCode, stderr } = await serve({ http: { port: 0 }, upstreams });
    expect(ownLines(stderr.trimEnd())).toEqual([
      expect.stringMatching(/^waybill: files listens on http:\/\/127\.0\.0\.1:\d+\/files\/mcp$/),
      expect.stringMatching(/^waybill: web listens on http:\/\/127\.0\.0\.1:\d+\/web\/mcp$/),
    ]);
    expect(exitCode).toBe(0);
  });

  it.each([
    [{ files: { ...server, max_message_bytes: 1_024 } }, /gateway\.json:8.*from 65536/],
    [{ files: { ...server, max_processes: 0 } }, /gateway\.json:8.*max_processes/],
    [{ files: { ...server, request_timeout: 5 } }, /request_timeout_ms/],
    [{ files: { ...server, env: { KEY: "${NOT_SET_ANYWHERE}" } } }, /NOT_SET_ANYWHERE is not set/],
    [{ files: { ...server, auth: "passthrough" } }, /passthrough/],
  ])("refuses what is wrong at its place, and listens nowhere: %j", async (upstreams, why) => {
    const { exitCode, stderr } = await serve({ http: { port: 0 }, upstreams });
    expect(stderr).toMatch(why);
    expect(stderr).not.toContain("listens on");
    expect(exitCode).toBe(2);
  });

  it("says that its servers are not served where the command line names one", async () => {
    const { stderr } = await serve({ upstreams: { files: server } }, "--http", "0", "--", process.execPath);
    expect(stderr).toMatch(
      /^waybill: the servers of \S+ \(files\) are not served: the command line names a server\./m,
    );
  });

  it("says where it serves them as one, and where a group of them", async () => {
    const upstreams = { files: server, more: server, web: server };
    const { stderr } = await serve({ http: { port: 0 }, upstreams, endpoints: { some: ["files", "web"] } });
    expect(ownLines(stderr.trimEnd()).slice(3)).toEqual([
      expect.stringMatching(/^waybill: as one server they listen on http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      expect.stringMatching(/^waybill: some listens on http:\/\/127\.0\.0\.1:\d+\/some\/mcp$/),
    ]);
  });

  it("refuses an unknown prefix, a group without servers, and an address for others without tokens", async () => {
    const upstreams = { files: server, more: server };
    for (const wrong of [
      { merge: { prefix: "never" } },
      { endpoints: { none: [] } },
      { endpoints: { a: ["b"] } },
    ])
      expect(await serve({ http: { port: 0 }, upstreams, ...wrong })).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await serve({ http: { port: 0, host: "0.0.0.0" }, upstreams });
    expect(stderr).toContain("does not check who calls");
    expect(exitCode).toBe(2);
  });
});

describe("waybill gateway over HTTP", () => {
  it("says at its start that a server's command is not there", async () => {
    const line = ["gateway", "--http", "0", "--store", "memory", "--", "no-such-cmd", "--key", "secret"];
    const { exitCode, stderr } = await runInProcess(line, { stopsAtOnce: true });
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^waybill: server listens on http:\/\/127\.0\.0\.1:\d+\/server\/mcp$/),
      '[server] the server cannot be started: the command "no-such-cmd" was not found on PATH. Install it, or correct its name or PATH.',
      "",
    ]);
    expect(exitCode).toBe(0);
  });

  it("says at its start, in one line and without the password, that its Redis is not there", async () => {
    const store = "redis://name:password@127.0.0.1:1";
    const line = ["gateway", "--http", "0", "--store", store, "--", process.execPath];
    const { stderr } = await runInProcess(line, { stopsAtOnce: true });
    expect(ownLines(stderr).slice(1)).toEqual([
      "waybill: Redis at redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. The gateway goes on, but what it cuts cannot be kept until then.",
      "",
    ]);
  });
});

describe("the dashboard's link", () => {
  const words = ["gateway", "--http", "0", "--store", "memory", "--dashboard", "0"];

  async function started(more: readonly string[], config?: object) {
    const home = mkdtempSync(join(tmpdir(), "waybill-link-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const file = join(home, "gateway.json");
    if (config !== undefined) writeFileSync(file, JSON.stringify(config));
    const line = [
      ...words,
      ...more,
      ...(config === undefined ? ["--", process.execPath] : ["--config", file]),
    ];
    const { stderr } = await runInProcess(line, { stopsAtOnce: true, env: { XDG_STATE_HOME: home } });
    return { stderr, home };
  }

  it("stands in lines for people", async () => {
    const { stderr } = await started([]);
    expect(stderr).toMatch(/the dashboard opens once with http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n/);
  });

  it("stands in no JSON log: that names a file which only this user can read", async () => {
    const { stderr, home } = await started(["--log", "json"]);
    expect(stderr).not.toContain("token=");
    const [said] = stderr.split("\n").filter((line) => line.includes('"dashboard"'));
    const { file } = JSON.parse(said ?? "{}") as { readonly file: string };
    expect(file.startsWith(home)).toBe(true);
    expect(readFileSync(file, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is an address alone for a team, whose tokens a file gives and nothing shows", async () => {
    const auth = { tokens: { ada: "ada-token-0123456789" } };
    const { stderr } = await started([], {
      upstreams: { files: { command: process.execPath } },
      dashboard: { auth },
    });
    expect(stderr).toMatch(/the dashboard is at http:\/\/127\.0\.0\.1:\d+\/; its tokens open it\n/);
    expect(stderr).not.toContain("token=");
    expect(stderr).not.toContain("ada-token");
  });

  it("is refused for an address that others can reach, where no setting checks who looks", async () => {
    const { stderr } = await started([], {
      upstreams: { files: { command: process.execPath } },
      dashboard: { host: "0.0.0.0" },
    });
    expect(stderr).toContain('"dashboard.host" is "0.0.0.0"');
  });
});
