import { describe, expect, it } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { resolveConfig } from "../../../engine/settings/resolve-config.ts";
import { checkGatewayOptions } from "../check-gateway-options.ts";
import { planReload } from "./draining-set.ts";
import { readGatewayConfig } from "./read-gateway-config.ts";

const load = (config: unknown, isFound = false, environment = {}) => ({
  ...resolveConfig({
    waybill: { file: "/w.json", text: JSON.stringify(config, undefined, 1), isFound },
    environment,
  }),
  files: [],
});
const read = (config: unknown, environment = {}) => readGatewayConfig(load(config), environment);

function problemsOf(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return ContractError.isInstance(error) ? JSON.stringify(error.details["problems"]) : String(error);
  }
}

describe("upstreams of a file", () => {
  it("become options of the gateway, with variables put in", () => {
    const file = {
      http: { port: 0, allowed_hosts: ["gateway.example"] },
      upstreams: {
        files: {
          command: "files",
          args: ["--root", "/srv"],
          env: { KEY: "${FILES_KEY}", MODE: "a${B}c" },
          auth: { gateway: { tokens: { ada: "${ADA_TOKEN}" } } },
          hide: ["remove"],
          rate_limit: { limit: 10, period_seconds: 60 },
          call_timeout_ms: 5_000,
          request_timeout_ms: 6_000,
          max_open_requests: 7,
          max_processes: 8,
          max_processes_per_caller: 3,
          max_message_bytes: 65_536,
        },
        mail: { url: "https://mail.example/mcp", headers: { "x-key": "${FILES_KEY}" }, auth: "passthrough" },
      },
    };
    const environment = { FILES_KEY: "k-1", B: "b", ADA_TOKEN: "0123456789abcdef" };
    expect(read(file, environment)).toEqual({
      http: { port: 0, allowedHosts: ["gateway.example"] },
      upstreams: {
        files: {
          command: "files",
          args: ["--root", "/srv"],
          env: { KEY: "k-1", MODE: "abc" },
          auth: { gateway: { tokens: { ada: "0123456789abcdef" } } },
          hide: ["remove"],
          rateLimit: { limit: 10, periodSeconds: 60 },
          callTimeoutMs: 5_000,
          requestTimeoutMs: 6_000,
          maxOpenRequests: 7,
          maxProcesses: 8,
          maxProcessesPerCaller: 3,
          maxMessageBytes: 65_536,
        },
        mail: { url: "https://mail.example/mcp", headers: { "x-key": "k-1" }, auth: "passthrough" },
      },
    });
  });

  it.each([
    ["jwks", { jwks: "https://id.example/keys" }],
    ["jwks_url, its former name", { jwks_url: "https://id.example/keys" }],
  ])("take the address of an issuer's keys as %s", (_what, address) => {
    const jwt = { issuer: "https://id.example", audience: "mcp", algorithms: ["ES256"], ...address };
    const { auth } = read({ upstreams: { files: { command: "files", auth: { gateway: { jwt } } } } })
      .upstreams["files"] ?? { auth: undefined };
    const { jwks, jwks_url: jwksUrl, ...rest } = { jwks: undefined, jwks_url: undefined, ...jwt };
    expect(auth).toEqual({ gateway: { jwt: { ...rest, jwks, jwksUrl } } });
  });

  it("need one address of an issuer's keys", () => {
    const jwt = { issuer: "https://id.example", audience: "mcp" };
    const gateway = { upstreams: { files: { command: "files", auth: { gateway: { jwt } } } } };
    expect(problemsOf(() => checkGatewayOptions(read(gateway)))).toMatch(/jwks.*is not a URL/);
  });

  it.each([
    [{ files: {} }, /not said how to reach upstreams\.files\./],
    [
      { files: { command: "a", url: "https://b" } },
      /upstreams\.files has both command and url\. Keep the one/,
    ],
    [{ files: { url: "https://b", args: ["x"] } }, /args has no effect/],
    [{ files: { command: "a", headers: { x: "1" } } }, /headers/],
    [{ files: { command: "a", env: { KEY: "${NOT_SET}" } } }, /w\.json:\d+.*NOT_SET is not set/],
    [{ files: { command: "a", auth: {} } }, /checks no caller/],
    // What code refuses, a file refuses at its place.
    [{ files: { command: "a", max_message_bytes: 65_535 } }, /"line":5.*max_message_bytes.*from 65536/],
    [{ files: { url: "https://b", max_processes_per_caller: 2 } }, /max_processes_per_caller has no effect/],
  ])("are refused with their place: %j", (upstreams, why) =>
    expect(problemsOf(() => read({ upstreams }))).toMatch(why),
  );

  it("are refused with a suggestion where a key is misspelt", () => {
    expect(problemsOf(() => read({ upstreams: { files: { comand: "a" } } }))).toMatch(
      /Did you mean .*command/,
    );
  });

  it("count only in a file that somebody named, since they start programs", () => {
    const { gateway, notices } = load({ upstreams: { files: { command: "a" } }, http: { port: 1 } }, true);
    expect(gateway).toBeUndefined();
    expect(notices.join("\n")).toMatch(/"upstreams" is ignored[\s\S]*"http" is ignored/);
  });

  it("show no secrets where origins are shown", () => {
    const upstreams = {
      files: {
        command: "a",
        env: { KEY: "hush" },
        auth: { gateway: { tokens: { ada: "hush" } } },
        tools: { env: { profile: "minimal" } },
      },
    };
    const { origins } = load({ upstreams });
    expect(JSON.stringify(origins)).not.toContain("hush");
    expect(origins["upstreams.files.command"]).toMatchObject({ value: "a" });
    expect(origins["upstreams.files.tools.env.profile"]).toMatchObject({ value: "minimal" });
  });
});

describe("the policy of an upstream", () => {
  const config = {
    budget: { tokens: 4_000 },
    tools: { read: { budget: { tokens: 100 } } },
    upstreams: {
      files: { command: "a", budget: { tokens: 900 }, tools: { read: { profile: "minimal" } } },
      mail: { command: "b" },
    },
  };

  it("lies over the general settings, setting by setting", () => {
    const { settings } = load(config).gateway ?? {};
    expect(settings?.["files"]).toMatchObject({
      budget: { tokens: 900 },
      tools: { read: { profile: "minimal", budget: { tokens: 100 } } },
    });
    expect(settings?.["mail"]).toMatchObject({ budget: { tokens: 4_000 } });
  });

  it("gives way to the environment", () => {
    const { settings } = load(config, false, { WAYBILL_BUDGET_TOKENS: "77" }).gateway ?? {};
    expect(settings?.["files"]).toMatchObject({ budget: { tokens: 77 }, pinned: ["budget.tokens"] });
  });

  it("is refused at its place in the file", () => {
    const upstreams = { files: { command: "a", profile: "loud" } };
    expect(problemsOf(() => load({ upstreams }))).toMatch(/upstreams\.files\.profile.*Unknown profile/);
  });

  it("is no reason to start the server again, while its command is", () => {
    const plan = (before: object, after: object) =>
      planReload(read({ upstreams: before }).upstreams, read({ upstreams: after }).upstreams);
    const files = { command: "a" };
    expect(plan({ files }, { files: { ...files, budget: { tokens: 900 } } })).toEqual({
      added: [],
      changed: [],
      removed: [],
    });
    expect(plan({ files, mail: files }, { files: { command: "b" }, web: files })).toEqual({
      added: ["web"],
      changed: ["files"],
      removed: ["mail"],
    });
  });
});
