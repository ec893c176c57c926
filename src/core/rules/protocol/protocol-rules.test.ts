import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import {
  asked,
  brokenRules,
  failure,
  findingsOf,
  greeting,
  modernRecordOf,
  recordOf,
  result,
  said,
  verdictOf,
} from "../record.fixture.ts";
import type { ExchangePurpose, RecordedReply, ServerProblem, ServerRecord } from "../server-record.ts";

const groups = ["protocol", "modern", "jsonrpc", "initialize"];
const timeout: RecordedReply = { kind: "timeout", afterMs: 50 };
const closed: RecordedReply = { kind: "closed", reason: "exit code 1" };

function exchanged(...replies: readonly (readonly [ExchangePurpose, RecordedReply])[]): ServerRecord {
  return recordOf({
    exchanges: replies.map(([purpose, reply]) => ({ purpose, request: {}, reply, response: undefined })),
  });
}

function troubled(kind: ServerProblem["kind"], changes: Partial<ServerRecord> = {}): ServerRecord {
  return recordOf({ problems: [{ kind, message: "It happened." }], ...changes });
}

function notified(method: string, changes: Partial<ServerRecord> = {}, id?: number): ServerRecord {
  const base = recordOf(changes);
  const message = { jsonrpc: "2.0", method, params: {}, ...(id === undefined ? {} : { id }) };
  return { ...base, messages: [...base.messages, said("server", message)] };
}

function modernAnswer(changes: JsonObject): ServerRecord {
  const good = modernRecordOf();
  const { greeting: reply } = good;
  const changed = { ...(reply.kind === "result" ? reply.result : {}), ...changes };
  return modernRecordOf({ messages: asked(1, "server/discover", { result: changed }) });
}

const broken: readonly (readonly [string, ServerRecord])[] = [
  ["protocol/reachable", troubled("start-failed", { greeting: closed, messages: [] })],
  ["protocol/reachable", troubled("refused", { greeting: closed, messages: [] })],
  ["protocol/redirect", troubled("redirected", { transport: "http" })],
  ["protocol/greeting", recordOf({ greeting: failure(-32603), messages: [] })],
  ["protocol/greeting", recordOf({ greeting: timeout, messages: [] })],
  ["protocol/version", recordOf({ greeting: result({ ...greeting, protocolVersion: "2030-01-01" }) })],
  ["protocol/version", modernRecordOf({ protocolVersion: "2027-01-01" })],
  ["protocol/revision", recordOf({ greeting: result({ ...greeting, protocolVersion: "2024-11-05" }) })],
  ["protocol/discover", modernRecordOf({ greeting: result({ supportedVersions: ["2026-07-28"] }) })],
  ["protocol/died", troubled("died")],
  ["protocol/stray-output", troubled("stray-output")],
  ["protocol/ping", exchanged(["ping", failure(-32601)])],
  ["protocol/string-id", exchanged(["string-id", timeout])],
  ["protocol/unknown-method", exchanged(["unknown-method", result({})])],
  ["protocol/unknown-method", exchanged(["unknown-method", timeout])],
  ["protocol/unknown-method-code", exchanged(["unknown-method", failure(-32602)])],
  ["protocol/broken-json", exchanged(["broken-json", closed])],
  ["protocol/broken-json", exchanged(["broken-json", timeout], ["after-broken-json", timeout])],
  ["protocol/broken-json-code", exchanged(["broken-json", failure(-32600)])],
  ["protocol/capability-tools", recordOf({ greeting: result({ ...greeting, capabilities: {} }) })],
  ["protocol/capability-notifications", notified("notifications/message")],
  ["protocol/capability-notifications", notified("notifications/tools/list_changed")],
  ["protocol/client-capabilities", notified("sampling/createMessage", {}, 9)],
  ["protocol/client-capabilities", notified("roots/list", modernRecordOf(), 9)],
  ["protocol/progress-token", notified("notifications/progress")],
  ["modern/result-type", modernAnswer({ resultType: null })],
  ["modern/cache-hints", modernAnswer({ ttlMs: -1 })],
  ["modern/cache-hints", modernAnswer({ cacheScope: "everybody" })],
  ["modern/server-info", modernAnswer({ _meta: {} })],
  [
    "modern/retired-codes",
    modernRecordOf({ messages: asked(1, "resources/read", { error: { code: -32002, message: "No." } }) }),
  ],
];

describe("rules of the protocol", () => {
  test("find nothing in a good server of either era", async () => {
    await expect(brokenRules(recordOf(), groups)).resolves.toEqual([]);
    await expect(brokenRules(modernRecordOf(), groups)).resolves.toEqual([]);
  });

  test.each(broken)("%s is broken alone (%#)", async (id, record) => {
    await expect(brokenRules(record, groups)).resolves.toEqual([id]);
    await expect(findingsOf(id, record)).resolves.toHaveLength(1);
  });

  test("silence after a line that is no JSON is right where the server goes on", async () => {
    const record = exchanged(["broken-json", timeout], ["after-broken-json", result({})]);
    await expect(brokenRules(record, groups)).resolves.toEqual([]);
  });

  test("a declared capability allows what it is for", async () => {
    const capabilities = { tools: { listChanged: true }, logging: {} };
    const declared = { greeting: result({ ...greeting, capabilities }) };
    await expect(brokenRules(notified("notifications/message", declared), groups)).resolves.toEqual([]);
    const changed = notified("notifications/tools/list_changed", declared);
    await expect(brokenRules(changed, groups)).resolves.toEqual([]);
  });

  test("logs and changes that were not asked for are told in the modern era", async () => {
    const capabilities = { tools: { listChanged: true }, logging: {} };
    const log = notified("notifications/message", {
      era: "modern",
      greeting: result({ supportedVersions: [], capabilities }),
    });
    await expect(findingsOf("protocol/unasked-notifications", log)).resolves.toHaveLength(1);
    await expect(verdictOf("protocol/unasked-notifications", recordOf())).resolves.toHaveProperty("untested");
  });

  test("what was not tried is untested", async () => {
    await expect(verdictOf("protocol/ping", recordOf())).resolves.toHaveProperty("untested");
    await expect(verdictOf("protocol/broken-json", recordOf())).resolves.toHaveProperty("untested");
    await expect(verdictOf("protocol/ping", modernRecordOf())).resolves.toHaveProperty("untested");
    await expect(verdictOf("modern/result-type", recordOf())).resolves.toHaveProperty("untested");
  });
});
