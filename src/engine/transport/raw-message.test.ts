import { describe, expect, it } from "vitest";
import {
  elementsOf,
  endsOf,
  glance,
  memberSpans,
  rawIdOf,
  withRawId,
  withoutRawArguments,
} from "./raw-message.ts";

const look = (text: string) => glance(Buffer.from(text));
const long = "x".repeat(500);

describe("a glance", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', "1"],
    ['{"result":{},"jsonrpc":"2.0","id":1}', "1"],
    ['{"result":{},"id":1,"jsonrpc":"2.0"}', "1"],
    ['{"jsonrpc":"2.0","result":{},"id":"a\\"b"}', '"a\\"b"'],
    ['{ "jsonrpc": "2.0", "id": 12345678901234567890, "error": {} }', "12345678901234567890"],
    [`{"jsonrpc":"2.0","id":1.0,"result":{"t":"${long}","id":2}}`, "1.0"],
    [`{"result":{"t":"${long},\\"id\\":3}","id":2},"jsonrpc":"2.0","id":"7"}`, '"7"'],
  ])("knows %s as an answer", (text, rawId) => {
    expect(look(text)).toEqual({ kind: "response", method: "", rawId });
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', "tools/call", "1"],
    ['{"method":"tools/call","params":{"id":5},"jsonrpc":"2.0","id":1}', "tools/call", "1"],
  ])("knows %s as a request", (text, method, rawId) => {
    expect(look(text)).toEqual({ kind: "request", method, rawId });
  });

  it("knows a notification by its name", () => {
    expect(look('{"method":"notifications/progress","params":{"id":1},"jsonrpc":"2.0"}')).toEqual({
      kind: "notification",
      method: "notifications/progress",
      rawId: "",
    });
  });

  it.each([
    '{"params":{},"method":"x","id":1}',
    '{"result":{"id":1}}',
    `{"result":{},"id":1,"more":"${long}"}`,
    '{"id":null,"error":{}}',
    '{"jsonrpc":"2.0","id":"ä","result":{}}',
    '[{"jsonrpc":"2.0","id":1,"result":{}}]',
    '{"jsonrpc":"2.0","id":01,"result":{}}',
    '{"jsonrpc":"2.0","id":1-2,"result":{}}',
    '{"result":{},"jsonrpc":"2.0","id":1.}',
    '{"jsonrpc":"2.0","id":"\\x","result":{}}',
    '{"jsonrpc":"2.0","id":"a\tb","result":{}}',
    "Server listening on stdio",
    "",
  ])("leaves %s to code that reads all of it", (text) => {
    expect(look(text).kind).toBe("unclear");
  });
});

describe("the text of an id", () => {
  it.each([
    ['{"id":1.0,"params":{}}', "1.0"],
    [`{"a":"${long}","id" : 1e3 , "b":"${long}"}`, "1e3"],
    [`{"a":[{"id":2}],"id":"ä\\u00e4","b":"${long}"}`, '"ä\\u00e4"'],
    ['{"id":1,"id":2}', "2"],
    [`{"\\x":1,"a":"${long}","id":2,"b":"${long}"}`, "2"],
    ['{"a":{"id":1}}', undefined],
  ])("in %s", (text, rawId) => {
    expect(rawIdOf(Buffer.from(text))).toBe(rawId);
  });

  it("is exchanged and nothing else, also beside bytes that are no UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"t":"ä'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('","id":1 }'),
    ]);
    const changed = withRawId(bytes, '"new"');
    expect(changed.toString("latin1")).toBe(bytes.toString("latin1").replace('"id":1', '"id":"new"'));
  });
});

describe("members", () => {
  it("are found where they are, whatever is inside them", () => {
    const text = ' { "a" : [1,{"b":"}]\\""}] ,"__proto__": {} , "n":-1.5e3,"t":true }';
    const spans = memberSpans(text);
    expect([...spans].map(([name, { start, end }]) => [name, text.slice(start, end)])).toEqual([
      ["a", '[1,{"b":"}]\\""}]'],
      ["__proto__", "{}"],
      ["n", "-1.5e3"],
      ["t", "true"],
    ]);
  });

  it("of what is no JSON end somewhere", () => {
    for (const text of ["", "{", '{"a', '{"a":', '{"a":[', '{"a":"b', "{{{{", '{"a":1,']) {
      expect(() => memberSpans(text)).not.toThrow();
    }
  });
});

describe("the ends of a line that was too long", () => {
  it("say nothing where the line says nothing", () => {
    expect(endsOf(Buffer.from("x"), Buffer.from("y"))).toEqual({ rawId: undefined, isResponse: false });
  });
});

describe("a call without some of its arguments", () => {
  const without = (text: string): string => withoutRawArguments(Buffer.from(text), ["s"]).toString();

  it.each([
    ['{"params":{"arguments":{"s":"a","b":1.0}}}', '{"params":{"arguments":{"b":1.0}}}'],
    ['{"params":{"arguments":{"b":"ä","s":"a"} },"id":1}', '{"params":{"arguments":{"b":"ä"} },"id":1}'],
    ['{"params":{"arguments":{ "s" : {"s":[1]} }}}', '{"params":{"arguments":{}}}'],
    ['{"params":{"arguments":{"s":1,"\\u0073":2,"b":{"s":3}}}}', '{"params":{"arguments":{"b":{"s":3}}}}'],
  ])("keeps all else of %s as it is written", (text, kept) => {
    expect(without(text)).toBe(kept);
  });

  it.each(['{"params":{"arguments":[1]}}', '{"params":{}}', '{"id":1}', '{"params":{"arguments":null}}'])(
    "leaves %s alone",
    (text) => {
      expect(without(text)).toBe(text);
    },
  );
});

describe("elementsOf", () => {
  it.each([
    ["[]", []],
    [' [ {"a":1.0} , {"b":"],é"}]\n', ['{"a":1.0}', '{"b":"],é"}']],
    ['[{"a":[1,[2]]},{"id":12345678901234567890}]', ['{"a":[1,[2]]}', '{"id":12345678901234567890}']],
  ])("gives the messages of %s as they are written", (text, messages) => {
    expect(elementsOf(Buffer.from(text)).map(String)).toEqual(messages);
  });
});
