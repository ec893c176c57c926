import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { plainAnswer } from "./server-answer.ts";

function plainOf(text: string, seen: unknown = 1, awaited: readonly unknown[] = [1]): string {
  const read = { message: JSON.parse(text) as JsonObject, bytes: Buffer.from(text) };
  return plainAnswer(read, seen, (id) => awaited.includes(id)).bytes.toString();
}

/** The answer as it leaves for these members, without its head. */
const saidFor = (members: string): string =>
  plainOf(`{"jsonrpc":"2.0","id":1${members}}`).replace('{"jsonrpc":"2.0","id":1,', "{");

describe("plainAnswer", () => {
  it("keeps the bytes of a plain answer, and of any that no caller waits for", () => {
    const text = '{ "jsonrpc":"2.0", "id":1, "result":{"n":1.0} }';
    expect(plainOf(text)).toBe(text);
    expect(plainOf(text, 1, [])).toBe(text);
    expect(plainOf('{"id":1,"result":{},"id":2}', 1, [])).toBe('{"id":1,"result":{},"id":2}');
    const unusual = '{"result":{"n":1.0},"jsonrpc":"2.0","id":1}';
    expect(plainOf(unusual)).toBe(unusual);
  });

  it("chooses of several ids the one that somebody waits for, and lets no other leave", () => {
    const named = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"n":1.0,"é":"ü"}}`;
    const result = '"result":{"n":1.0,"é":"ü"}';
    expect(plainOf(`{"id":1,${result},"id":2}`, 1, [1])).toBe(named(1));
    expect(plainOf(`{"id":1,${result},"id":2}`, 1, [2])).toBe(named(2));
    expect(plainOf(`{"id":9,"id":3,${result},"id":2}`, 9, [3])).toBe(named(3));
    expect(plainOf(`{"jsonrpc":"2.0","id":999999,"id":103,${result}}`, 103, [103])).toBe(named(103));
    expect(plainOf(`{"jsonrpc":"2.0","id":103,"id":103,${result}}`, 103, [103])).toBe(named(103));
  });

  it("leaves out what is beside the outcome, and adds the version", () => {
    expect(saidFor(',"result":{"n":1.0},"x":1')).toBe('{"result":{"n":1.0}}');
    expect(plainOf('{"id":1,"result":{"n":1.0}}')).toBe('{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}');
    expect(plainOf('{"jsonrpc":2,"id":1,"result":{}}')).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it("gives the one outcome of two", () => {
    const error = '"error":{"code":-32000,"message":"no","data":1.0}';
    expect(saidFor(',"result":{"n":1.0},"error":null')).toBe('{"result":{"n":1.0}}');
    expect(saidFor(`,${error},"result":null`)).toBe(`{${error}}`);
    expect(saidFor(`,"result":{},${error}`)).toBe(`{${error}}`);
    expect(saidFor(',"result":{},"error":"boom"')).toBe('{"error":{"code":-32603,"message":"boom"}}');
    for (const none of ["null", "false", '""', "{}", "[]", "0"])
      expect(saidFor(`,"result":{},"error":${none}`)).toBe('{"result":{}}');
    expect(saidFor(',"result":null,"error":null')).toBe('{"result":null}');
    expect(saidFor(',"result":null')).toBe('{"result":null}');
  });

  it("refuses where there is no outcome", () => {
    for (const none of ["", ',"error":null', ',"x":1'])
      expect(saidFor(none)).toMatch(/^\{"error":\{"code":-32000,"message":"The server's answer is not/);
  });

  it("makes an error of JSON-RPC of one that is not an error, with the server's words", () => {
    const told = (error: string): unknown =>
      (JSON.parse(saidFor(`,"error":${error}`)) as { readonly error: unknown }).error;
    const worded = (json: string): object => ({
      code: -32603,
      message: `The server's error is no error of JSON-RPC: ${json}`,
    });
    expect(told('"boom"')).toEqual({ code: -32603, message: "boom" });
    expect(told('{"message":"boom"}')).toEqual({ code: -32603, message: "boom" });
    for (const json of ["{}", '""', "7.0", '{"code":"E7","message":"boom"}', '{"code":1.5,"message":"boom"}'])
      expect(told(json)).toEqual(worded(json));
    expect(told('{"code":-32601}')).toEqual({ ...worded('{"code":-32601}'), code: -32601 });
    expect(told(`"${"é".repeat(199)}😀"`)).toEqual({ code: -32603, message: `${"é".repeat(199)}…` });
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(told(deep)).toEqual(worded(`${"[".repeat(200)}…`));
  });

  it("copies what is nested deeper than anybody could write it", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const plain = `{"jsonrpc":"2.0","id":1,"result":${deep}}`;
    expect(plainOf(`{"jsonrpc":"2.0","id":1,"id":9999,"result":${deep},"y":${deep}}`) === plain).toBe(true);
  });
});
