import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { homeWith } from "../wrap/home.fixture.ts";

const config = JSON.stringify({
  upstreams: {
    files: {
      command: process.execPath,
      args: ["server.js", "--key", "s3cret"],
      hide: ["write_file"],
      rename_tools: { "read_*": "see_*" },
    },
    api: {
      url: "https://ada:s3cret@api.example/mcp?key=s3cret",
      dialect: "response-v2",
      budget: { tokens: 500 },
    },
    gone: { command: "no-such-command" },
  },
});
const named = "--config own.json";

describe("waybill config", () => {
  it("says what the gateway uses where no setting was chosen", async () => {
    const { run, at } = homeWith({});
    const { stdout } = await run("config");
    expect(stdout).toMatch(/^dialect +response-v2 +default$/m);
    const gateway = stdout.slice(stdout.indexOf("waybill gateway"));
    expect(gateway).toMatch(/^dialect +auto +gateway$/m);
    expect(gateway).toMatch(/^profile +minimal +gateway$/m);
    expect(gateway).toMatch(/^budget\.tokens +8000 +gateway$/m);
    expect(gateway).toMatch(/^fit\.client_limits +true +gateway$/m);
    expect(gateway).toContain(`${at("state")}/waybill/archive`);
  });

  it("says what a file and the environment choose for the gateway and for each of its servers", async () => {
    const { run } = homeWith({ "own.json": config });
    const { stdout } = await run(`config ${named}`, { env: { WAYBILL_PROFILE: "debug" } });
    const gateway = stdout.slice(stdout.indexOf("waybill gateway"));
    expect(gateway).toMatch(/^profile +debug +environment: WAYBILL_PROFILE$/m);
    expect(gateway).toMatch(/^upstreams\.api +https:\/\/api\.example\/mcp +file$/m);
    expect(gateway).toMatch(/^upstreams\.api\.dialect +response-v2 +file$/m);
    expect(gateway).toMatch(/^upstreams\.api\.budget\.tokens +500 +file$/m);
    expect(gateway).toMatch(/^upstreams\.files\.hide +write_file +file$/m);
    expect(gateway).toMatch(/^upstreams\.files\.rename_tools +\{"read_\*":"see_\*"\} +file$/m);
    expect(gateway).not.toContain("s3cret");
  });
});

const unset = JSON.stringify({ upstreams: { a: { command: "x", env: { KEY: "${NOT_SET_HERE}" } } } });

describe("waybill config with a server that cannot be used here", () => {
  it("says why, and shows the rest", async () => {
    const { exitCode, stdout } = await homeWith({ "own.json": unset }).run(`config ${named}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^notice waybill gateway: .*NOT_SET_HERE is not set/m);
    expect(stdout).toMatch(/^dialect +response-v2 +default$/m);
  });
});

describe("waybill doctor", () => {
  it("says what the gateway would use, and of each server whether it can be started", async () => {
    const { run, at } = homeWith({ "own.json": config });
    const { exitCode, stdout } = await run(`doctor ${named} --client codex`);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^ok +gateway +dialect auto, profile minimal, 8000 tokens, less for clients whose limit is known$/m,
    );
    expect(stdout).toContain(`${at("state")}/waybill/archive, which the first cut makes`);
    expect(stdout).toMatch(/^ok +upstream api +https:\/\/api\.example\/mcp$/m);
    expect(stdout).toMatch(
      /^problem +upstream gone +the server cannot be started: the command "no-such-command"/m,
    );
    expect(stdout).not.toContain("s3cret");
  });

  it("tries the gateway's folder where it is there", async () => {
    const { run, at } = homeWith({});
    mkdirSync(at("state/waybill/archive"), { recursive: true });
    const { exitCode, stdout } = await run("doctor --client codex");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ok +gateway-store +file at .*\/waybill\/archive: writes, reads and deletes$/m);
    expect(stdout).toMatch(/^ok +gateway-store-size +0 entries/m);
  });

  it("names what is wrong with the gateway's servers", async () => {
    const { exitCode, stdout } = await homeWith({ "own.json": unset }).run(`doctor ${named}`);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^problem +gateway +The configuration has 1 problem.*NOT_SET_HERE is not set/m);
  });
});
