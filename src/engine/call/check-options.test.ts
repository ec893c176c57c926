import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, describe, expect, it, vi } from "vitest";
import { defaultSettings } from "../settings/settings.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { defineTiers } from "../settings/flags-and-tiers/define-tiers.ts";
import { attachContract } from "../../doors/server/attach-contract.ts";
import { createContract, withContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { codeTable } from "../settings/code-table.ts";
import { settingTable } from "../settings/table.ts";
import { defineTool } from "../settings/tool-definition.ts";
import { contractKinds } from "./check-options.ts";

it("every option of a contract has its row in a table", () => {
  const rows = { ...settingTable, ...codeTable };
  expect(Object.keys(contractKinds).filter((name) => !Object.hasOwn(rows, name))).toEqual([]);
});

const folder = mkdtempSync(join(tmpdir(), "waybill-options-"));
const file = join(folder, "a-file");
writeFileSync(file, "");
afterAll(() => rmSync(folder, { recursive: true }));

const run = (): object => ({});
const newServer = (): McpServer => new McpServer({ name: "t", version: "1.0.0" });

function refusal(make: () => unknown): ContractError {
  try {
    make();
  } catch (error) {
    if (ContractError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("createContract", () => {
  it.each([
    [{ dialect: "scalpl" }, /"dialect" is "scalpl". Did you mean "scalpel"\? Choose one of response-v2/],
    [{ allow: { dialects: ["drff"] } }, /"allow.dialects\[0\]" is "drff". Did you mean "drf"/],
    [{ dialct: "drf" }, /"dialct" is not a known key. Did you mean "dialect"/],
    [{ delivery: "pigeon" }, /"delivery" is "pigeon". Choose one of/],
    [{ budget: 8000 }, /"budget" is 8000. Write \{ tokens, bytes \}/],
    [{ budget: null }, /"budget" is null/],
    [{ fit: { strategy: "tail" } }, /"fit.strategy" is "tail". Choose one of auto, head, relevance/],
    [{ fit: { maxBlobBytes: -1 } }, /"fit.maxBlobBytes" is -1. Write a whole number of bytes above 0/],
    [{ fit: { withoutEnvelope: true } }, /"fit.withoutEnvelope" is true. Choose one of auto, always, never/],
    [
      { fit: { counter: "p50k_base" } },
      /"fit.counter" is not a counter: give one of o200k_base, cl100k_base, an object/,
    ],
    [{ fit: { counter: null } }, /"fit.counter" is not a counter/],
    [{ fit: { counter: { encoding: "x", count: async () => 3 } } }, /"fit.counter" does not give a number/],
    [
      { fit: { counter: { encoding: "x", count: () => Number.NaN } } },
      /"fit.counter" does not give a number/,
    ],
    [{ fit: { strategi: "head" } }, /"fit.strategi" is not a known key. Did you mean "strategy"\?/],
    [{ fit: { clientLimits: [{ name: "x" }] } }, /"fit.clientLimits\[0\].match" is missing. Write a pattern/],
    [{ budget: { token: 2000 } }, /"budget.token" is not a known key. Did you mean "tokens"\?/],
    [{ store: 5 }, /"store" is not a store: give memoryStore\(\)/],
    [{ store: {} }, /"store" is not a store/],
    [{ store: "" }, /The store is not named/],
    [{ store: "http://x" }, /The store "http:" is unknown/],
    [{ store: file }, /"store" needs a folder, but ".*a-file" is a file: name another folder/],
    [{ store: join(file, "archive") }, /"store" needs a folder, but ".*a-file" is a file/],
    [{ encoding: "csv" }, /"encoding" is "csv". Choose one of json, table/],
    [
      { cursorKeys: "short" },
      /"cursorKeys" cannot be used. The cursor key "0" is missing or shorter than 16/,
    ],
    [
      { rateLimit: { limit: 0, periodSeconds: 60 } },
      /"rateLimit.limit" is 0. Write a whole number of at least 1/,
    ],
    [{ rateLimit: { limit: 5 } }, /"rateLimit.periodSeconds" is missing. Write a whole number of seconds/],
    [{ rateLimit: { limit: 5, periodSecond: 1, periodSeconds: 1 } }, /Did you mean "periodSeconds"/],
    [{ idempotencyMs: -1 }, /"idempotencyMs" is -1. Write a number of milliseconds of at least 1/],
    [{ profile: "standrd" }, /"profile" is "standrd". Did you mean "standard"\?/],
    [{ allow: { profiles: ["verbose"] } }, /"allow.profiles" is "verbose". Choose one of minimal/],
    [{ tiers: ["community", "pro"] }, /"tiers" has no method of: give what defineTiers\(\) returns/],
    [{ flags: { beta: true } }, /"flags" has no method evaluate: give what defineFlags\(\) returns/],
    [
      { redact: { patterns: [{ label: "x", pattern: "secret" }] } },
      /"redact.patterns\[0\].pattern" is "secret"/,
    ],
    [{ redact: { alow: [] } }, /"redact.alow" is not a known key. Did you mean "allow"/],
    [{ mapError: true }, /"mapError" is not a function/],
    [{ tenant: "acme" }, /"tenant" is not a function/],
    [{ logger: {} }, /"logger" has no method info: give pino/],
    [{ logLevel: "wran" }, /"logLevel" is "wran". Did you mean "warn"\? Choose one of debug, info/],
    [{ hideGated: "yes" }, /"hideGated" is "yes". Write true or false/],
    [{ trustProxy: -1 }, /"trustProxy" is -1. Write the number of proxies/],
    [{ tools: {} }, /"tools" is an object. Write a list of tools/],
    [{ tools: [{ name: "t" }] }, /Tool t: The config is missing/],
    [
      { toolSettings: { search: { timeoutMs: -1 } } },
      /"toolSettings.search.timeoutMs" is -1. Write a number/,
    ],
    [
      { toolSettings: { search: { timeout: 5 } } },
      /"toolSettings.search.timeout" is not a known key. Did you mean "timeoutMs"/,
    ],
    [
      { toolSettings: { search: { breaker: { failureShare: 3 } } } },
      /"toolSettings.search.breaker.failureShare" is 3/,
    ],
    [
      { toolSettings: { "fs.read": { exclude: ["a["] } } },
      /"toolSettings\["fs.read"\].exclude" cannot be used/,
    ],
    [
      { tiers: defineTiers(), toolSettings: { search: { tier: "prro" } } },
      /"toolSettings.search.tier" is "prro". Did you mean "pro"\? Choose one of community, pro, enterprise/,
    ],
  ])("refuses %j", (options, message) => {
    const error = refusal(() => createContract(options as never));
    expect(error.message).toMatch(message);
    expect(error.code).toBe("INVALID_OPTION");
    expect(error.details["option"]).toEqual(expect.any(String));
  });

  it("refuses a secret of the environment that cannot sign cursors, without showing it", () => {
    vi.stubEnv("WAYBILL_SECRET", "hunter2");
    const { message } = refusal(() => createContract());
    vi.unstubAllEnvs();
    expect(message).toMatch(
      /\(WAYBILL_SECRET\) cannot be used. The cursor key "0" is missing or shorter than 16/,
    );
    expect(message).not.toContain("hunter2");
  });

  it("names every problem at once, and shows no secret", () => {
    const error = refusal(() => createContract({ cursorKeys: "hunter2", dialct: "x", budget: 5 } as never));
    expect(error.message).toMatch(/^createContract: .* \(2 more problems in details.problems\)$/);
    const problems = error.details["problems"] as { option: string }[];
    expect(problems.map(({ option }) => option).sort()).toEqual(["budget", "cursorKeys", "dialct"]);
    expect(JSON.stringify(error.details)).not.toContain("hunter2");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1.5, 2 ** 60, "8000", "of", null, true, {}, []])(
    "refuses a budget of %o in tokens or bytes, wherever it is given",
    (limit) => {
      const tool = { description: "T" };
      for (const unit of ["tokens", "bytes"]) {
        const budget = { [unit]: limit } as never;
        const refused = expect.objectContaining({
          code: "INVALID_OPTION",
          message: expect.stringMatching(
            new RegExp(`"budget\\.${unit}" is .*\\. Write a whole number of ${unit}`),
          ),
        }) as Error;
        expect(() => createContract({ budget })).toThrow(refused);
        expect(() => defineTool("t", { ...tool, budget }, run)).toThrow(refused);
        expect(() => withContract(newServer()).registerTool("t", { ...tool, budget }, run)).toThrow(refused);
      }
    },
  );

  it.each([1, 256, 8_000, "off", undefined])("takes a budget of %s", (limit) => {
    const budget = { tokens: limit, bytes: limit } as never;
    expect(createContract({ budget }).options.budget).toBe(budget);
    expect(defineTool("t", { description: "T", budget }, () => ({})).config.budget).toBe(budget);
  });

  it("answers with an envelope where settings made by hand cannot be read", async () => {
    const tool = defineTool("t", { description: "T" }, () => ({ secret: 1 }));
    const override = {
      includeOnly: ["tasks[0.id"],
      exclude: [],
      includeOnError: [],
      excludeWhenTier: {},
      budget: {},
    };
    const config = { ...defaultSettings, tools: { t: override } };
    const { result, outcome } = await runTool(tool, {}, { contract: { config } });
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INTERNAL_ERROR" } });
    expect(JSON.stringify(result)).not.toContain("tasks[0");
  });
});

describe("a tool", () => {
  it.each([
    ["t", { budget: { tokens: Number.NaN } }, /^Tool t: "budget.tokens" is NaN/],
    ["t", { timeoutMs: -1 }, /^Tool t: "timeoutMs" is -1. Write a number from 1 to 2147483647/],
    ["t", { timeoutMs: "5s" }, /"timeoutMs" is "5s"/],
    ["t", { rateLimit: { limit: 0, periodSeconds: 1 } }, /"rateLimit.limit" is 0/],
    ["t", { cost: -1 }, /"cost" is -1. Write a whole number of at least 0/],
    ["t", { concurrency: 0 }, /"concurrency" is 0. Write a whole number of at least 1/],
    ["t", { breaker: false }, /"breaker" is false. Write true, or \{ failureShare/],
    ["t", { cache: {} }, /"cache.ttlMs" is missing. Write a number of at least 1/],
    ["t", { cache: { ttlMs: 0 } }, /"cache.ttlMs" is 0/],
    ["t", { dialect: "drff" }, /"dialect" is "drff". Did you mean "drf"/],
    ["t", { includeOnly: "id" }, /"includeOnly" cannot be used/],
    ["t", { exclude: ["rows[0]"] }, /"exclude" cannot be used. The path "rows\[0\]"/],
    ["t", { outputShema: {} }, /"outputShema" is not a known key. Did you mean "outputSchema"/],
    ["t", { inputSchema: { id: 1 } }, /"inputSchema" is not a schema: give one of a library/],
    ["t", { waybillArgument: 1 }, /"waybillArgument" is 1. Write true or false/],
    ["", {}, /The name of a tool is "". Write 1 to 128 letters, digits/],
    ["my tool", {}, /The name of a tool is "my tool"/],
    ["x".repeat(129), {}, /The name of a tool is "x/],
    [undefined, {}, /The name of a tool is undefined/],
  ])("called %j with %j is refused by defineTool and registerTool", (name, config, message) => {
    const given = { description: "T", ...config } as never;
    for (const make of [
      () => defineTool(name as string, given, run),
      () => withContract(newServer()).registerTool(name as string, given, run),
    ])
      expect(refusal(make)).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringMatching(message),
      });
  });

  it("is refused without a config or a handler", () => {
    expect(refusal(() => defineTool("t", undefined as never, run)).message).toMatch(/^Tool t: .*missing/);
    expect(refusal(() => defineTool("t", { description: "T" }, "run" as never)).message).toBe(
      'Tool t: "handler" is not a function: give the function that runs the tool.',
    );
    expect(refusal(() => defineTool("t", {} as never, run)).message).toBe(
      'Tool t: "description" is missing. Write what the tool does: a model chooses a tool by it.',
    );
    expect(refusal(() => defineTool("t", { description: " " }, run)).message).toBe(
      'Tool t: "description" is empty. Write what the tool does: a model chooses a tool by it.',
    );
  });

  it("is refused beside another of the same name", () => {
    const tool = defineTool("twin", { description: "T" }, run);
    expect(refusal(() => createContract({ tools: [tool, tool] }))).toMatchObject({
      code: "INVALID_OPTION",
      message:
        'createContract: Two tools are called "twin". Give each a name of its own, or take one off the list.',
    });
  });

  it("is refused with a tier or profile that its contract does not have", () => {
    const server = withContract(newServer(), { tiers: defineTiers() });
    const make = (config: object) => () => server.add(defineTool("t", { description: "T", ...config }, run));
    expect(refusal(make({ tier: "enterprse" })).message).toMatch(
      /^Tool t: "tier" is "enterprse". Did you mean "enterprise"\? Choose one of community, pro, enterprise\./,
    );
    expect(refusal(make({ profile: "ful" })).message).toMatch(/^Tool t: "profile" is "ful"/);
  });
});

describe("attachContract", () => {
  it.each([{}, undefined, null, "server"])("refuses %j, which is no server object", (server) => {
    expect(refusal(() => attachContract(server as never)).message).toMatch(/it has no connect\(\)/);
  });

  it.each([
    [{ tools: [] }, /"tools" has no effect on an attached server/],
    [{ waybillArgument: true }, /"waybillArgument" has no effect on an attached server/],
    [
      { toolSettings: { search: { waybillArgument: true } } },
      /"toolSettings.search.waybillArgument" has no effect/,
    ],
  ])("refuses %j, which it would ignore", (options, message) => {
    const error = refusal(() => attachContract(newServer(), options));
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^attachContract: /);
  });

  it("takes a contract that has them for its other servers", () => {
    const server = newServer();
    expect(attachContract(server, createContract({ tools: [] }))).toBe(server);
  });
});
