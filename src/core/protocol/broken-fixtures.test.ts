import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageRules } from "./rules.ts";
import { validateMessage } from "./validate-message.ts";

const folder = new URL("../../../test/fixtures/broken/", import.meta.url);
const families = [...new Set(messageRules.map(({ id }) => id.split("/")[0] ?? ""))];
const needRequest = new Set(["jsonrpc/id-mismatch", "jsonrpc/notification-answered"]);

function readBroken(id: string): unknown {
  return JSON.parse(readFileSync(new URL(`${id}.json`, folder), "utf8"));
}

function judge(id: string) {
  const json = readBroken(id);
  if (!needRequest.has(id)) return validateMessage(json);
  const { request, response } = json as { request: unknown; response: unknown };
  return validateMessage(response, { request });
}

describe("the broken fixtures", () => {
  // shows 003.5, 003.10 with jsonrpc/result-or-error
  // shows 003.2, 003.7 with jsonrpc/version
  it.each(messageRules)("$id has a fixture that breaks it and nothing else", ({ id, severity }) => {
    const { valid, violations } = judge(id);
    expect(violations.map(({ rule }) => rule)).toEqual([id]);
    expect(valid).toBe(severity !== "MUST");
  });

  it("name no rule that is gone", () => {
    const files = families
      .filter((family) => existsSync(new URL(family, folder)))
      .flatMap((family) => readdirSync(new URL(family, folder)).map((file) => `${family}/${file}`));
    expect(files.sort()).toEqual(messageRules.map(({ id }) => `${id}.json`).sort());
  });

  it("pair a response with a request that is right", () => {
    for (const id of needRequest) {
      const { request } = readBroken(id) as { request: unknown };
      expect(validateMessage(request).violations).toEqual([]);
    }
  });
});
