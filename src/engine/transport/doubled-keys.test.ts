import { describe, expect, it } from "vitest";
import { findDoubledKey } from "./doubled-keys.ts";

describe("findDoubledKey", () => {
  it.each([
    ['{"method":"a","method":"b"}', { key: "method", like: "method", where: "" }],
    ['{"id":1,"m\\u0065thod":"a","method":"b"}', { key: "method", like: "method", where: "" }],
    ['{"other":1,"other":2}', { key: "other", like: "other", where: "" }],
    ['{"Method":"tools/call","id":1}', { key: "Method", like: "method", where: "" }],
    ['{"result":{},"METHOD":"a"}', { key: "METHOD", like: "method", where: "" }],
    ['{"paramſ":{}}', { key: "paramſ", like: "params", where: "" }],
    ['{ "params" : { "name" : "a" , "Name" : "b" } }', { key: "Name", like: "name", where: "params" }],
    ['{"params":{"TASKID":"b"}}', { key: "TASKID", like: "taskId", where: "params" }],
    ['{"params":{"tasKId":"b"}}', { key: "tasKId", like: "taskId", where: "params" }],
    ['{"params":{"x":[{"y":{}}],"x":1}}', { key: "x", like: "x", where: "params" }],
    ['{"params":{"arguments":{"a":1,"a":2}}}', { key: "a", like: "a", where: "params.arguments" }],
    [
      '{"params":{"arguments":{"a":["}",{"b":{},"c":"\\"","b":2}]}}}',
      { key: "b", like: "b", where: "params.arguments" },
    ],
    ['{"params":{"_meta":{"k":1,"k":2}}}', { key: "k", like: "k", where: "params._meta" }],
  ])("finds it in %s", (text, found) => {
    expect(findDoubledKey(text)).toEqual(found);
  });

  it.each([
    "{}",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"name","arguments":{"name":1,"Name":2}}}',
    // What a tool takes is its own business, and so is a result.
    '{"params":{"arguments":{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":2}],"d":"\\"x\\":1"}}}',
    '{"result":{"a":1,"A":2,"a":3}}',
    '{"params":{"own":1,"Own":2,"level":{"a":1,"a":2}}}',
    '{"params":[1,2]}',
    "",
    "[]",
    '"text"',
  ])("finds none in %s", (text) => {
    expect(findDoubledKey(text)).toBeUndefined();
  });
});
