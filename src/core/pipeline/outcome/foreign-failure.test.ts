import { describe, expect, it } from "vitest";
import { fromResult } from "./from-result.ts";

const read = (text: string) => fromResult({ content: [{ type: "text", text }] });

describe("a report of an unmarked failure", () => {
  it.each([
    [
      "a long number",
      '{"error":{"code":404,"message":"Not Found","trace_id":1234567890123456789}}',
      { code: "NOT_FOUND", message: "Not Found", details: { trace_id: "1234567890123456789" } },
    ],
    [
      "a long number beside a flag",
      '{"success":false,"error":"no such row","id":9007199254740993}',
      { message: "no such row", details: { id: "9007199254740993" } },
    ],
    ["a key twice", '{"success":false,"id":1,"id":2,"error":"no such row"}', { message: "no such row" }],
    ["keys that look like places", '{"2":0,"1":0,"success":false,"error":"no row"}', { message: "no row" }],
  ])("is one with %s in it, and the server's own text stays", (_, text, fault) => {
    const { outcome, blocks } = read(text);
    expect(outcome).toMatchObject({ ok: false, fault });
    expect(blocks).toEqual([{ type: "text", text }]);
  });

  it("leaves data with a long number the text that it is", () => {
    const text = '{"ok":true,"error":"","id":9007199254740993}';
    expect(read(text).outcome).toMatchObject({ ok: true, data: text });
  });

  it("is not looked for deeper than anybody reads", () => {
    const text = `{"success":false,"error":"no","x":${"[".repeat(1_500)}${"]".repeat(1_500)}}`;
    expect(read(text).outcome).not.toMatchObject({ fault: { message: "no" } });
  });
});
