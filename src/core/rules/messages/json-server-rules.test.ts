import { describe, expect, it } from "vitest";
import { judgeBy, madeRecord } from "../made-record.fixture.ts";
import type { RecordedMessage } from "../server-record.ts";
import { jsonServerRules } from "./message-server-rules.ts";

function judge(id: string, ...lines: readonly string[]): ReturnType<typeof judgeBy> {
  const messages = lines.map((raw): RecordedMessage => {
    const value = JSON.parse(raw) as RecordedMessage["value"];
    return { from: "server", raw, value, bytes: raw.length, atMs: 0 };
  });
  return judgeBy(jsonServerRules, id, madeRecord([], { messages }));
}

describe("the JSON of a server's messages", () => {
  it("loses nothing on its way through a parser", async () => {
    expect(await judge("json/duplicate-key", '{"result":{"a":1,"a":2}}')).toHaveLength(1);
    expect(await judge("json/number-precision", '{"result":{"id":12345678901234567890}}')).toHaveLength(1);
    expect(await judge("json/number-range", '{"result":{"n":1e999}}')).toHaveLength(1);
    expect(await judge("json/lone-surrogate", '{"result":{"text":"\\ud83d"}}')).toHaveLength(1);
    for (const { id } of jsonServerRules) {
      expect([id, await judge(id, '{"result":{"a":1.5,"b":"ü"}}')]).toEqual([id, []]);
      expect([id, await judge(id)]).toEqual([id, "untested"]);
    }
  });

  it("is told once for the same place in lists", async () => {
    const line = '{"result":{"items":[{"a":1,"a":2},{"a":1,"a":2}]}}';
    const [found, ...more] = (await judge("json/duplicate-key", line, line)) as readonly string[];
    expect(found).toMatch(/^the server: /);
    expect(found).not.toMatch(/parsers keep only the last/);
    expect(more).toEqual([]);
  });
});
