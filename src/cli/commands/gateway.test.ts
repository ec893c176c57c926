import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function takePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("waybill gateway, where it cannot start", () => {
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
      `waybill: "store" needs a folder, but ${JSON.stringify(file)} is a file: name another folder.\n`,
    );
    expect(exitCode).toBe(2);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("waybill gateway over HTTP", () => {
  it("says at its start that a server's command is not there", async () => {
    const line = ["gateway", "--http", "0", "--store", "memory", "--", "no-such-cmd", "--key", "secret"];
    const { exitCode, stderr } = await runInProcess(line, { stopsAtOnce: true });
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^waybill: server listens on http:\/\/127\.0\.0\.1:\d+\/server\/mcp$/),
      'waybill: server: the server cannot be started: the command "no-such-cmd" was not found on PATH. Install it, or correct its name or PATH.',
      "",
    ]);
    expect(exitCode).toBe(0);
  });

  it("says at its start, in one line and without the password, that its Redis is not there", async () => {
    const store = "redis://name:password@127.0.0.1:1";
    const line = ["gateway", "--http", "0", "--store", store, "--", process.execPath];
    const { stderr } = await runInProcess(line, { stopsAtOnce: true });
    expect(stderr.split("\n").slice(1)).toEqual([
      "waybill: Redis at redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. The gateway goes on, but what it cuts cannot be kept until then.",
      "",
    ]);
  });
});
