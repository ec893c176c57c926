import { describe, expect, it } from "vitest";
import { readMessage } from "./read-message.ts";

describe("readMessage", () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":null}',
    // Some libraries write both in every answer.
    '{"jsonrpc":"2.0","id":1,"result":{},"error":null}',
    '{"jsonrpc":"2.0","id":1,"result":null,"error":null}',
    '{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"no"}}',
    '{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}',
  ])("hands on the answer %s", (line) => {
    expect(readMessage(line)).toEqual({ kind: "message", message: JSON.parse(line) });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"no"}}',
    '{"jsonrpc":"2.0","result":null}',
    '{"jsonrpc":"2.0","result":{},"error":null}',
  ])("drops %s, which answers nothing or two things", (line) => {
    expect(readMessage(line)).toEqual({ kind: "nothing" });
  });
});
